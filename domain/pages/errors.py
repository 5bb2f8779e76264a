"""errors: an error page with an answer that claims success, a framework's report of a crash, a server's own default page."""

from __future__ import annotations

from collections.abc import Mapping

import regex

from domain.pages.facts import PageFacts, Text
from domain.pages.verdict import PageVerdict
from domain.pages.words import bare, folded, pattern

# Mark-up of what frameworks put in place of, or over, a page that crashed.
OVERLAYS: Mapping[str, str] = {
    "Vite": "vite-error-overlay",
    "webpack": "#webpack-dev-server-client-overlay",
    "Create React App": "body > iframe[style*='2147483647']",
    "Next.js": "[data-nextjs-dialog-overlay], [data-nextjs-dialog]",
    "Nuxt": "#nuxt-error-overlay, nuxt-error-overlay",
    "Astro": "astro-dev-overlay-error, vite-error-overlay",
    "Werkzeug": "body > .debugger, div.debugger .traceback",
    "Django": "body > #summary + #traceback, #summary h1 + pre.exception_value",
    "Laravel": ".Whoops.container, [class*='ignition'] #app .stack, #ignition-app",
    "Rails": "#better_errors_app, header h1 + #container #Application-Trace, .source-to-show",
    "Symfony": ".exception-summary, .exception-hero",
    "Phoenix": ".plug-debugger, [data-plug-debugger]",
    "Blazor": "#blazor-error-ui[style*='block']",
    "Streamlit": "[data-testid='stAppViewBlockContainer'] > [data-testid='stException']:only-child",
}
SELECTORS: Mapping[str, str] = {f"overlay: {name}": selector for name, selector in OVERLAYS.items()}

# Texts that only machines write, at the head of a page.
MACHINE = (
    ("server-default", "nginx", r"^welcome to nginx!?$|^welcome to (?:openresty|tengine)!?$|^test page for the nginx http server"),
    ("server-default", "Apache", r"apache2? (?:ubuntu|debian|centos|http server)?[\w ]*default page|^it works!?$|^test page for the (?:apache|http server)|^apache http server test page|^http server test page"),
    ("server-default", "IIS", r"^iis windows(?: server)?$|^internet information services$"),
    ("server-default", "Tomcat", r"if you're seeing this, you've successfully installed tomcat|^apache tomcat/[\d.]+$"),
    ("server-default", "Caddy", r"^caddy works!?$|^your web server is working\.? congratulations!?"),
    ("server-default", "lighttpd", r"^welcome to lighttpd|^placeholder page$"),
    ("server-default", "a host", r"^default (?:web ?site|page|plesk page|web page)\b|^web server'?s default page|^domain default page|^welcome to your new (?:website|site|web space)|^your new web server is ready to use|^site (?:is )?under construction|^(?:this|the) (?:domain|website) (?:name )?is for sale|^(?:this )?account (?:has been )?suspended|^this site (?:has been|is) suspended|^this domain (?:has expired|is parked)|^future home of something"),
    ("server-default", "Heroku, Netlify, GitHub and others", r"^there's nothing here, yet|^heroku \| (?:no such app|application error|welcome)|^there isn't a github pages site here|^this deployment (?:has been|is) (?:disabled|paused)|^the deployment could not be found|^no such (?:app|bucket)$|^site not found( · github pages)?$"),
    ("server-error", "a server", r"^(?:error )?[45]\d\d[ :\-\u2013|.]+(?:error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|internal server error|not found|forbidden|bad request|unauthorized|method not allowed|gone|backend fetch failed|origin)|^http status [45]\d\d|^http error [45]\d\d|^bad gateway$|^gateway time-?out$|^internal server error$|^service (?:temporarily )?unavailable$|^server error in '.*' application|^runtime error$|^whitelabel error page$|^error: the request could not be satisfied|^guru meditation|^no healthy upstream$|^upstream connect error|^application error$|^proxy error$|^web server is down$|^the requested url could not be retrieved|^error 1\d\d\d\b|^an error occurred while processing your request|^503 backend fetch failed|^error establishing a (?:database|redis) connection|^database (?:connection )?error$|^cannot (?:get|post) /\S*$|^index of /$(?!)"),
    ("framework-error", "a framework", r"^(?:fatal|parse) error: |^(?:uncaught|unhandled) (?:\w+)?(?:error|exception)|^traceback \(most recent call last\)|^(?:\w+\.)*\w+(?:error|exception)(?: at /|: )|^application error: a (?:client|server)-side exception|^action controller: exception caught|^unhandled runtime error|^failed to compile|^compiled with (?:problems|errors)|^we're sorry, but something went wrong|^this page (?:isn't|is not) working|\bwerkzeug debugger$|^there has been a critical error on this website|^hmm\.{3} we're having trouble|^stack trace$|^an unhandled exception occurred"),
)  # fmt: skip
MACHINE_RULES = tuple((rule, who, regex.compile(expression)) for rule, who, expression in MACHINE)

NOT_FOUND = pattern(
    (
        "(?:this |the |that |requested |your )*(?:page|url|document|file|resource|content|article|product|item|address|site|link)(?: (?:you(?:'re| are|'ve| have)? ?\\w* ?\\w* ?(?:for|requested)?|was|is|could|can|has|does|cannot|can't|isn't|doesn't|not|been|be|no longer|anymore|exists?|found|available|removed|moved|deleted|missing|unavailable|or))* ?(?:not (?:be )?found|(?:does not|doesn't|no longer) exists?|cannot be found|can't be found|(?:is )?(?:no longer|not|isn't) available|has been (?:removed|deleted|moved)|is missing|unavailable)",
        "not found", "nothing (?:was )?(?:found|here|to see here)(?: here)?", "(?:we )?(?:can't|cannot|couldn't|could not) find (?:that|the|this|what|your)[\\w' ]{0,40}", "(?:error |http )?404(?: error)?(?:[ :|-]+(?:not found|page not found|error|file not found|oops[\\w ]*))?", "(?:page|seite|pagina|sivu) 404", "erreur 404", "error 404", "fehler 404", "errore 404", "erro 404",
        "there(?:'s| is) nothing (?:here|to see)[\\w ]*", "you (?:seem|appear) to be lost", "lost\\?", "dead link", "gone", "page gone",
        "(?:die |diese )?(?:angeforderte |gesuchte )?(?:seite|datei|adresse)(?: (?:wurde|konnte|ist|existiert))?(?: leider)?(?: nicht)?(?: mehr)? ?(?:gefunden(?: werden)?|nicht gefunden(?: werden)?|nicht vorhanden|existiert nicht(?: mehr)?|nicht verfugbar)", "nicht gefunden",
        "(?:cette |la )?page (?:demandee |recherchee )?(?:est )?(?:introuvable|inexistante|non trouvee|n'existe (?:pas|plus)|n'a pas ete trouvee)", "introuvable", "(?:la )?pagina no (?:encontrada|existe|disponible|se encuentra)[\\w ]*", "no (?:se )?(?:ha )?encontr(?:ada|amos|ado|o)[\\w ]*", "pagina non (?:trovata|disponibile|esiste)", "(?:la )?pagina non (?:e stata trovata|esiste)", "pagina nao (?:encontrada|existe)", "pagina (?:is )?niet gevonden", "niet gevonden", "nie znaleziono(?: strony)?", "strona nie (?:zostala znaleziona|istnieje)", "sidan (?:hittades inte|finns inte|kunde inte hittas)", "siden (?:blev ikke fundet|finnes ikke|ble ikke funnet)", "sivua ei (?:loytynyt|loydy)", "stranka nenalezena", "sayfa bulunamadi",
        "страница не (?:найдена|существует)", "не найден[ао]?", "сторінк[уа] не знайдено", "ページが見つかりません(?:でした)?", "お探しのページ(?:は|が)[\\w]{0,20}(?:見つかりません|存在しません)(?:でした)?", "(?:找不到|未找到)(?:该|此|您要的)?(?:页面|網頁|頁面|网页)", "页面(?:不存在|未找到|走丢了)", "頁面不存在", "您访问的页面不存在", "페이지를 찾을 수 없습니다", "الصفحة غير موجودة", "הדף לא נמצא", "ไม่พบหน้า(?:ที่คุณต้องการ)?",
    )
)  # fmt: skip
FAILED = pattern(
    (
        "(?:oops|whoops|uh[- ]oh|sorry|ouch|yikes|hmm+|snap|darn|aw,? snap)?[!.,:; ]*(?:something|things?) (?:went|has gone|is) (?:terribly |horribly )?wrong[\\w ,']{0,40}", "(?:an? |some )?(?:unexpected |unknown |internal |server |application |client |technical |fatal |critical )*error(?: has| just)? occur(?:r?ed|s)[\\w ,']{0,40}", "(?:we(?:'re| are)? )?(?:experiencing|having) (?:some )?(?:technical )?(?:difficulties|problems|issues|trouble)[\\w ,']{0,40}", "(?:unexpected|internal(?: server)?|server|application|unknown|system|fatal|critical|runtime) error", "(?:failed|unable) to load[\\w ,']{0,40}",
        "(?:could not|couldn't|cannot|can't|failed to|unable to) (?:load|connect|fetch|retrieve|reach)[\\w ,']{0,40}", "connection (?:lost|failed|refused|error)", "(?:this |the )?(?:service|site|website|page|server)(?: is)? (?:currently |temporarily )*(?:unavailable|down|offline|not available)[\\w ,']{0,30}", "(?:down for|under|scheduled|undergoing) (?:scheduled |planned )?maintenance", "(?:we(?:'ll| will)(?: be)?|be) (?:right |right-)?back[\\w ]{0,20}", "you(?:'re| are) (?:currently )?offline", "no (?:internet|network) connection", "(?:briefly )?unavailable for scheduled maintenance[\\w .,']{0,40}", "maintenance(?: mode| in progress)?",
        "(?:oops|whoops|uh[- ]oh)", "(?:your |this )?browser (?:is )?(?:not|no longer|isn't) supported", "(?:unsupported|outdated) browser", "(?:please )?(?:update|upgrade) your browser", "(?:you need to |please )?enable javascript[\\w ,']{0,60}", "[\\w ]{0,20}(?:requires|needs) javascript[\\w ,']{0,40}", "(?:is )?not available in your (?:country|region|location)", "[\\w ]{0,40}unavailable in your (?:country|region|location)",
        "(?:da )?ist etwas schief(?: ?gelaufen| ?gegangen)", "etwas ist schief(?: ?gelaufen| ?gegangen)", "(?:es ist )?ein (?:unerwarteter |interner |technischer )?fehler(?: ist)? aufgetreten", "(?:derzeit|momentan|vorubergehend) nicht (?:erreichbar|verfugbar)", "wartungsarbeiten", "wartungsmodus", "une erreur (?:inattendue |technique |interne )?(?:est survenue|s'est produite)", "(?:quelque chose|un probleme) (?:s'est mal passe|est survenu)", "en (?:cours de )?maintenance", "(?:algo|hubo algo que) salio mal", "(?:se )?(?:ha )?(?:produjo|ocurrido|producido) un error[\\w ]*", "ha ocurrido un error[\\w ]*", "en mantenimiento", "qualcosa e andato storto", "si e verificato un errore[\\w ]*", "algo deu errado", "ocorreu um erro[\\w ]*", "er is iets (?:fout|mis) ?gegaan", "er is een fout opgetreden", "cos poszlo nie tak", "wystapil blad", "nagot gick fel", "noget gik galt", "jotain meni pieleen", "bir (?:seyler ters gitti|hata olustu)", "neco se pokazilo",
        "что-то пошло не так", "произошла ошибка", "сервис временно недоступен", "технические работы", "エラーが発生しました", "問題が発生しました", "メンテナンス中(?:です)?", "ただいまメンテナンス中です", "出错了", "发生(?:了)?错误", "發生錯誤", "系统维护中?", "服务器错误", "服务(?:暂时)?不可用", "오류가 발생했습니다", "문제가 발생했습니다", "점검 중(?:입니다)?", "حدث خطأ", "אירעה שגיאה", "משהו השתבש", "เกิดข้อผิดพลาด",
    )
)  # fmt: skip
LONG = 1400
"""Characters of texts that are neither furniture nor links, up to which a page can be an error page."""
PROSE = 420
"""Characters of running text up to which it can be one: an apology, not an article."""
CODES = regex.compile(r"\b(?:404|410|500|502|503|504)\b")


def _own(facts: PageFacts) -> list[Text]:
    """Texts of the page's main part: no furniture, no links."""
    return [t for t in facts.seen if not t.furniture and t.role != "a"]


def _length(texts: list[Text]) -> int:
    return sum(len(t.text) for t in texts)


def by_overlay(facts: PageFacts) -> PageVerdict | None:
    """A framework's report of a crash, by its mark-up, over a good part of the viewport."""
    for mark, box in facts.marks.items():
        if mark.startswith("overlay: ") and (facts.share(box) > 0.2 or mark == "overlay: Vite"):  # noqa: PLR2004 - a badge is no overlay
            return PageVerdict(
                kind="error-page", rule="framework-error", reason=f"{mark.removeprefix('overlay: ')}: its report of an error"
            )
    return None


def by_machine(facts: PageFacts) -> PageVerdict | None:
    """A page as servers and frameworks write it themselves, told by how it begins."""
    own = _own(facts)
    head = [facts.title, *facts.headings[:2], *(t.text for t in own[:2])]
    for rule, who, expression in MACHINE_RULES:
        for text in head:
            found = expression.search(folded(text)[:300])
            if not found:
                continue
            limit = 6000 if rule == "framework-error" else LONG * 3 if rule == "server-default" else LONG
            # An article may have such a title: then there is a site around it, or much to read.
            surrounded = facts.chars.links > 800 or facts.chars.prose > (2500 if rule != "server-error" else PROSE + 400)  # noqa: PLR2004
            if facts.chars.page <= limit and not surrounded and _first_says(expression, own, facts):
                return PageVerdict(kind="error-page", rule=rule, reason=f"{who}: {found[0][:60]!r}")
    return None


def _first_says(expression: regex.Pattern[str], own: list[Text], facts: PageFacts) -> bool:
    """Whether it also stands at the head of what is seen, not in a title alone; or nothing else is there."""
    return (
        any(expression.search(folded(t.text)[:300]) for t in own[:3])
        or facts.chars.page < 300
        or any(expression.search(folded(h)) for h in facts.headings[:2])
    )


def says_error(text: str) -> tuple[str, str]:
    """(rule, passage) where a short text is an error message and little more; ("", "") where it is not."""
    plain = bare(text)
    if not plain or len(plain) > 160:  # noqa: PLR2004 - a sentence or two
        return "", ""
    for rule, phrases in (("not-found", NOT_FOUND), ("something-failed", FAILED)):
        found = phrases.search(plain)
        # The message is the text, but for a word or two before and after it.
        if found and (len(found[0]) >= 0.5 * len(plain) or (found.start() == 0 and len(plain) < 80)):  # noqa: PLR2004
            return rule, str(found[0])
    return "", ""


def by_message(facts: PageFacts) -> PageVerdict | None:
    """The main part is an error message: it stands first and large, and little else is there."""
    own = _own(facts)
    length = _length(own)
    if not own or length > LONG or facts.chars.prose > PROSE + 500 or _prose(own) > PROSE or facts.truncated:
        return None
    heading = [t for t in own if t.role == "h"][:2]
    large = sorted(own, key=lambda t: -t.box.height / max(1, len(t.text) ** 0.5))[:2]
    messages = [(t, *says_error(t.text)) for t in dict.fromkeys((*heading, *own[:3], *large))]
    found = [(t, rule, said) for t, rule, said in messages if rule]
    if not found:
        return None
    text, rule, said = found[0]
    title = _without_site(facts.title)
    title_rule = "" if CODES.fullmatch(bare(title)) else says_error(title)[0]
    # The message holds the floor: as the title, as the heading with little else, or as nearly all there is.
    code_only = CODES.fullmatch(bare(text.text)) is not None
    second = any(says_error(t.text)[0] and not CODES.fullmatch(bare(t.text)) for t in own[:8] if t is not text)
    if code_only and not second and not title_rule:
        return None
    alone = len({t.text for t, _, _ in found}) == 1
    weak = bare(text.text) in {"oops", "whoops", "gone", "maintenance", "not found", "lost"} and alone and not title_rule
    if weak:
        return None
    rest = length - len(text.text)
    central = text.role == "h" or text in own[:2] or text in large[:1]
    if (title_rule and central and rest < 900) or (central and rest < (350 if text.role == "h" else 220)):  # noqa: PLR2004
        return PageVerdict(kind="error-page", rule=rule, reason=f"it says {said[:80]!r}, and {rest} characters beside it")
    return None


def _prose(texts: list[Text]) -> int:
    return sum(len(t.text) for t in texts if len(t.text) >= 80)  # noqa: PLR2004 - as facts.js counts


def _without_site(title: str) -> str:
    """The part of a title that is an error message, where one part of it is: "Page not found | Shop"."""
    parts = regex.split(r"\s+[|\u2013\u2014\u00b7:\-]\s+", title)
    return next((part for part in parts if says_error(part)[0]), title)


RULES = (by_overlay, by_machine, by_message)
