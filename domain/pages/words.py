"""Words by which pages say what they are, in several languages: folded, so that spelling variants meet.

A phrase alone never decides; the rules ask for structure beside it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import regex

_BLANKS = regex.compile(r"[\s\p{Cf}]+")
_MARKS = regex.compile(r"(?<=\p{Latin})\p{M}+")
_EDGES = regex.compile(r"^[\p{P}\p{S}\s]+|[\p{P}\p{S}\s]+$")


def folded(text: str) -> str:
    """Lower case, one kind of blank and apostrophe, no accents on Latin letters."""
    plain = unicodedata.normalize("NFKC", text).replace("\u2019", "'").casefold()
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", _BLANKS.sub(" ", plain)))).strip()


def bare(text: str) -> str:
    """Folded, without punctuation and pictures at its ends."""
    return _EDGES.sub("", folded(text))


def pattern(phrases: Sequence[str]) -> regex.Pattern[str]:
    """One pattern for phrases given as expressions over folded text; where a phrase begins or ends in a letter, a word does."""
    return regex.compile("|".join(rf"(?:\b(?:{folded(p)})\b)" if p.isascii() else f"(?:{folded(p)})" for p in phrases))


LOADING = pattern(
    (
        r"(?:now |still |page |content |data |app(?:lication)? )?loading(?: (?:your |the )?[\w ]{1,30})?", "(?:please )?wait(?: a moment)?", "please wait[\\w ,]{0,60}",
        "just a (?:moment|second|sec)", "one moment(?: please)?", "initiali[sz]ing[\\w ]{0,30}", "starting(?: up)?", "connecting[\\w ]{0,30}", "fetching [\\w ]{1,30}",
        "preparing [\\w ]{1,30}", "authenticating", "redirecting[\\w ]{0,30}",
        "(?:wird|werden) geladen", r"[\w ]{0,40}(?:wird|werden) geladen", "lade(?:n|t)?(?: [\\w ]{1,20})?", "bitte warten[\\w ,]{0,40}", "einen moment(?: bitte)?",
        "chargement(?: [\\w ]{1,30})?", "veuillez patienter", "cargando(?: [\\w ]{1,30})?", "(?:por favor,? )?espere(?: [\\w ]{1,20})?", "caricamento(?: [\\w ]{1,30})?", "attendere(?: prego)?",
        "carregando(?: [\\w ]{1,30})?", "aguarde", "(?:even )?laden", "een ogenblik geduld", "(?:trwa )?ladowanie", "wczytywanie", "prosze czekac",
        "загрузка", "идет загрузка", "идёт загрузка", "подождите", "пожалуйста,? подождите", "завантаження", "yukleniyor", "lutfen bekleyin", "laddar", "indlaeser", "indlæser", "laster", "ladataan", "nacitani",
        "読み込み中(?:です)?", "ロード中", "お待ちください", "しばらくお待ちください", "加载中", "正在加载", "載入中", "请稍候", "請稍候", "로딩 ?중", "불러오는 중(?:입니다)?",
        "جار[يٍ]? ?التحميل", "טוען", "लोड हो रहा है", "กำลังโหลด", "dang tai", "memuat",
    )
)  # fmt: skip
# What stands in for text that is to come: dots, dashes, blocks.
STAND_IN = regex.compile(r"[\s.\u2026\u2013\u2014\-_\u2588\u25a0\u25cf\u2022]*")


def only_loading(text: str) -> bool:
    """Whether a text says nothing but that something is on its way."""
    plain = _EDGES.sub("", regex.sub(r"\s*[\d.,]+ ?%?\s*$", "", folded(text)))
    return bool(STAND_IN.fullmatch(plain)) or (len(plain) <= 80 and LOADING.fullmatch(plain) is not None)  # noqa: PLR2004 - a sentence


def first(phrases: regex.Pattern[str], *texts: str) -> str:
    """The first passage that is one of the phrases, as folded; empty where there is none."""
    for text in texts:
        if found := phrases.search(folded(text)):
            return str(found[0])
    return ""
