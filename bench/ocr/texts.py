# ruff: noqa: RUF001 - texts of many languages
"""Known texts of many kinds, each with a near miss: the same text but for one digit, letter, ideograph or word."""

from __future__ import annotations

import random
from dataclasses import dataclass

from domain.lookalikes import looks_like


def _listed(words: str) -> tuple[str, ...]:
    return tuple(words.split("|"))


WORDS = _listed(
    "account|add|archive|arrive|available|basket|between|billing|book|browse|button|calendar|cancel|cart|category|change|"
    "checkout|city|clear|close|collection|comment|compare|contact|continue|country|coupon|create|customer|dashboard|"
    "default|delete|delivery|departure|detail|discount|download|edit|event|exit|export|favourite|filter|find|flight|"
    "follow|forecast|free|garden|gift|global|guide|help|history|home|hotel|image|import|inbox|invoice|item|journal|"
    "kitchen|language|later|latest|library|light|limited|list|local|login|market|member|menu|message|minutes|mobile|model|"
    "morning|music|network|news|next|night|notes|offer|online|open|order|owner|page|parking|password|payment|people|photo|"
    "platform|play|popular|preview|price|privacy|product|profile|public|rating|recent|region|remove|reply|report|reserve|"
    "result|return|review|room|sale|save|schedule|search|season|seats|secure|select|seller|send|service|settings|share|"
    "ship|shop|sign|single|size|skip|software|sort|source|station|status|stock|store|street|student|submit|summer|support|"
    "table|team|terms|theme|ticket|today|total|tracking|train|transfer|travel|trial|update|upgrade|upload|user|value|"
    "version|video|view|visit|wallet|watching|weather|week|welcome|window|winter|wishlist|world|year|your"
)
ACCENTED = _listed(
    "Über uns|Größe wählen|Straße|Für später merken|Gespräch öffnen|Lösungen|Déconnexion|Créer un élève|À propos|"
    "Où êtes-vous|Garçon|Año nuevo|Contraseña|Información útil|Más reciente|Niño|Página siguiente|Não disponível|Ação|"
    "São Paulo|Coração|Príliš žluťoučký kůň|Přihlásit se|Nákupní košík|Zażółć gęślą jaźń|Wyślij wiadomość|Łódź|"
    "Sıradaki sayfa|Giriş yapın|Çıkış|Søg på siden|Åbn menuen|Tøm kurven|Hyvää päivää|Näytä lisää|Belépés|Kosárba teszem|"
    "Következő"
)
CHINESE = _listed(
    "加入购物车|立即购买|登录注册|搜索商品|我的订单|联系客服|今日新闻|查看更多|返回首页|忘记密码|热门推荐|价格走势|"
    "天气预报|正在直播|下载应用|用户评论|全部分类|限时优惠|账户设置|最新消息|北京时间|上海证券交易所|国际新闻中心|"
    "人民币汇率"
)
JAPANESE = _listed(
    "カートに入れる|ログイン|新規会員登録|お問い合わせ|もっと見る|検索する|ランキング|本日のニュース|天気予報|"
    "東京都渋谷区|お気に入りに追加|購入手続きへ|前のページ|配送状況を確認|レビューを書く|営業時間"
)
GREEK = _listed("Σύνδεση|Αναζήτηση|Επικοινωνία|Περισσότερα|Αγορά τώρα|Καλάθι αγορών")
KOREAN = _listed("로그인|장바구니에 담기|검색 결과|오늘의 뉴스|주문 조회|고객 센터")
CYRILLIC = _listed("Войти|Добавить в корзину|Поиск по сайту|Новости дня|Оформить заказ|Избранное")

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
KINDS = (
    "label", "words", "upper", "sentence", "number", "price", "clock", "percent", "date", "count", "code",
    "accents", "chinese", "japanese", "greek", "korean", "cyrillic",
)  # fmt: skip
LATIN = frozenset(KINDS[:11])
NUMERIC = frozenset(("number", "price", "clock", "percent", "date", "count"))
UNKNOWN_SCRIPTS = frozenset(("greek", "korean", "cyrillic"))
"""Kinds that the bundled model has no letters for, or cannot read words in."""


@dataclass(frozen=True, slots=True)
class Text:
    """shown: what the page shows. near: what it does not show and almost does. far: nothing like it."""

    kind: str
    shown: str
    near: str
    far: str


def texts(count: int, seed: int) -> list[Text]:
    """`count` texts, the kinds in turn. The same for the same seed."""
    rng = random.Random(seed)  # noqa: S311 - samples, not secrets
    made = []
    while len(made) < count:
        kind = KINDS[len(made) % len(KINDS)]
        shown = _make(kind, rng)
        far = next(other for _ in range(1000) if not looks_like(other := _make(kind, rng), shown))
        made.append(Text(kind, shown, near_miss(shown, rng), far))
    return made


LISTED = {
    "accents": ACCENTED,
    "chinese": CHINESE,
    "japanese": JAPANESE,
    "greek": GREEK,
    "korean": KOREAN,
    "cyrillic": CYRILLIC,
}


def _make(kind: str, rng: random.Random) -> str:
    if kind in LISTED:
        return rng.choice(LISTED[kind])
    words = [rng.choice(WORDS) for _ in range(30)]
    if kind in NUMERIC:
        return _numeric(kind, words[0], rng)
    if kind == "code":
        return f"{words[0]}_{rng.randrange(100)}@{words[1]}.test"
    few, some, many = (" ".join(words[: rng.randint(*span)]) for span in ((1, 3), (3, 6), (8, 24)))
    return {"label": few.capitalize(), "upper": few.upper(), "words": some.title(), "sentence": f"{many.capitalize()}."}[kind]


def _numeric(kind: str, word: str, rng: random.Random) -> str:
    cents, thousands = f"{rng.randrange(100):02}", f"{rng.randrange(1, 10 ** rng.randint(2, 7)):,}"
    dotted = thousands.replace(",", ".")
    hour, minute, second = rng.randrange(24), rng.randrange(60), rng.randrange(60)
    day, year, month = rng.randint(1, 28), rng.randint(1995, 2035), rng.choice(MONTHS)
    ways = {
        "number": (thousands, dotted, str(rng.randrange(10, 10**6)), f"{rng.random() * 99:.2f}"),
        "price": (f"${thousands}.{cents}", f"€{dotted},{cents}", f"£{thousands}", f"{thousands} €"),
        "clock": (f"{hour:02}:{minute:02}", f"{hour:02}:{minute:02}:{second:02}", f"{hour % 12 + 1}:{minute:02} PM"),
        "percent": (f"{rng.choice('+-')}{rng.random() * 20:.2f}%",),
        "date": (f"{day} {month} {year}", f"{month} {day}, {year}", f"{year}-{rng.randint(1, 12):02}-{day:02}"),
        "count": tuple(f"{rng.randrange(2, 9999):,} {word} {what}" for what in ("watching now", "items", "ago", "min read")),
    }
    return rng.choice(ways[kind])


def near_miss(shown: str, rng: random.Random) -> str:
    """The text with one thing changed that a careful reader sees: a digit where there is one, else a letter or a word."""
    places = [i for i, c in enumerate(shown) if c.isdigit()] or [i for i, c in enumerate(shown) if c.isalpha()]
    if " " in shown and rng.random() < 0.3 and not any(c.isdigit() for c in shown):  # noqa: PLR2004
        parts = shown.split(" ")
        i = rng.randrange(len(parts))
        parts[i] = rng.choice([w for w in WORDS if not looks_like(w, parts[i])])
        parts[i] = parts[i].upper() if shown.isupper() else parts[i].title() if shown.istitle() else parts[i]
        return " ".join(parts)
    for _ in range(1000):
        i = rng.choice(places)
        other = shown[:i] + _other(shown[i], rng) + shown[i + 1 :]
        if not looks_like(other, shown):
            return other
    raise ValueError(f"no near miss of {shown!r} was found")


def _other(c: str, rng: random.Random) -> str:
    if c.isdigit():
        return rng.choice([d for d in "0123456789" if d != c])
    if c.isascii():
        letter = rng.choice("abcdefghijklmnopqrstuvwxyz")
        return letter.upper() if c.isupper() else letter
    pools = ("".join(GREEK), "".join(CHINESE), "".join(JAPANESE), "".join(KOREAN), "".join(CYRILLIC), "aeioucnszrlg")
    pool = next((p for p in pools if c in p), pools[-1])
    return rng.choice([x for x in pool if x.strip() and x != c])
