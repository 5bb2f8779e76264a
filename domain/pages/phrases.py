"""The words by which pages say what they are, in several languages:
expressions over folded text (words.py), parted by
semicolons.

A phrase alone never decides; the rules ask for structure beside it. A new language is a line in each.
"""

# ruff: noqa: E501, RUF001 - data; an expression is not made clearer by a break in it
from __future__ import annotations

import regex

from domain.pages.words import Phrases

LOADING = Phrases(
    r"""
(?:now |still |page |content |data |app(?:lication)? )?loading(?: (?:your |the )?[\w ]{1,30})?
(?:please )?wait(?: a moment)?; please wait[\w ,]{0,60}; just a (?:moment|second|sec); one moment(?: please)?
initiali[sz]ing[\w ]{0,30}; starting(?: up)?; connecting[\w ]{0,30}; fetching [\w ]{1,30}; preparing [\w ]{1,30}
authenticating; redirecting[\w ]{0,30}; (?:wird|werden) geladen; [\w ]{0,40}(?:wird|werden) geladen
lade(?:n|t)?(?: [\w ]{1,20})?; bitte warten[\w ,]{0,40}; einen moment(?: bitte)?; chargement(?: [\w ]{1,30})?
veuillez patienter; cargando(?: [\w ]{1,30})?; (?:por favor,? )?espere(?: [\w ]{1,20})?; caricamento(?: [\w ]{1,30})?
attendere(?: prego)?; carregando(?: [\w ]{1,30})?; aguarde; (?:even )?laden; een ogenblik geduld; (?:trwa )?ladowanie
wczytywanie; prosze czekac; загрузка; идет загрузка; идёт загрузка; подождите; пожалуйста,? подождите; завантаження
yukleniyor; lutfen bekleyin; laddar; indlaeser; indlæser; laster; ladataan; nacitani; 読み込み中(?:です)?; ロード中; お待ちください
しばらくお待ちください; 加载中; 正在加载; 載入中; 请稍候; 請稍候; 로딩 ?중; 불러오는 중(?:입니다)?; جار[يٍ]? ?التحميل; טוען; लोड हो रहा है; กำลังโหลด; dang tai
memuat
"""
)
"""Something is on its way."""

ASKS = Phrases(
    r"""
(?:verify|verifying|confirm|prove)(?: that)? you(?:'re| are) (?:(?:a |not a )?(?:real )?(?:human|person|robot|bot))
are you (?:a )?(?:human|robot); (?:show us your human side|we can't tell if you(?:'re| are) a human)
checking (?:if the site connection is secure|your browser); (?:making|make) sure you(?:'re| are) not a (?:ro)?bot
you are (?:not )?a (?:ro)?bot; i(?:'m| am) not a robot; complete the (?:security check|captcha|action below|challenge)
solve (?:this|the) (?:captcha|puzzle); pardon our interruption; enter the characters you see below; press (?:and|&) hold
slide (?:right )?to (?:verify|complete|secure); performing security verification
needs to review the security of your connection; you(?:'ve| have) been redirected to verify; ddos protection by
you are now in line; you are in (?:the )?(?:queue|line)
(?:bestatigen|beweisen) sie,? dass sie (?:ein mensch|kein (?:ro)?bot) sind; ihr browser wird (?:uber|ge)pruft
sind sie ein (?:mensch|roboter); verifi(?:ez|er|ons)(?: que)? vous etes(?: bien)?(?: un)? (?:humain|etre humain)
verification de(?: votre| la)? (?:navigateur|securite); je ne suis pas un robot; etes-vous un (?:robot|humain)
verif(?:ique|icar|icando)(?: que)? (?:usted )?(?:es|eres)(?: un)? (?:humano|ser humano); comprobando (?:su|tu) navegador
no soy un robot; comprobacion de seguridad
verifica(?:re)?(?: di essere| che sei| che tu sia)(?: un)? (?:umano|essere umano); non sono un robot
(?:confirme|verifique) que (?:voce )?e (?:um )?humano; nao sou um robo; verifieren dat u een mens bent
bevestig dat (?:u|je) een mens bent; potwierdz,? ze jestes czlowiekiem; nie jestem robotem; insan oldugunuzu dogrulayin
подтвердите,? что (?:вы|запросы); проверка браузера; я не робот; вы не робот; проверяем,? что вы (?:не робот|человек)
人間であることを確認; ロボットではありません; セキュリティ(?:チェック|確認); ブラウザ(?:ー)?を確認(?:して|中); 安全验证; 安全驗證; 验证您是(?:真人|人类); 確認您是(?:真人|人類); 正在检查您的浏览器; 人机验证
请完成(?:安全)?验证; 사람인지 확인; 로봇이 아닙니다; 보안 확인; تحقق من أنك إنسان; التحقق من أنك إنسان
"""
)
"""A wall asks whether a person is there."""

WEAK = Phrases(
    r"""
human verification; security (?:check|checkpoint|verification); bot (?:check|verification|protection)
sicherheits(?:uber)?prufung; verificacion de seguridad; verificacao de seguranca; verifica di sicurezza
controle de securite; проверка безопасности
"""
)
"""Words that a page may have as its own subject: they count only with a captcha or the small print of a wall beside them."""

TURNED_AWAY = Phrases(
    r"""
access (?:to this (?:page|site|website|resource) (?:has been |is )?)?(?:denied|blocked|forbidden)
you(?:'ve| have) been blocked; you are (?:being )?(?:blocked|rate limited)
your (?:ip(?: address)?|access|request) (?:has been |was |is )?(?:temporarily )?(?:blocked|banned|denied|rejected)
unusual (?:traffic|activity); automated (?:access|requests|queries|traffic|bot); too many requests
rate limit(?:ed| exceeded); attention required; suspicious activity; request(?:ed url)? was rejected; request unsuccessful
request blocked; bot detected; 403 forbidden; sorry, you have been blocked
(?:der )?zugriff (?:wurde )?(?:verweigert|blockiert|gesperrt); zugriff verweigert; ungewohnlichen? (?:datenverkehr|zugriffe)
zu viele anfragen; acces (?:refuse|bloque|interdit); trafic inhabituel; trop de requetes; acceso (?:denegado|bloqueado)
trafico inusual; demasiadas (?:solicitudes|peticiones); accesso (?:negato|bloccato); acesso (?:negado|bloqueado)
доступ (?:запрещен|запрещён|ограничен|заблокирован); アクセスが(?:拒否|制限|ブロック); 访问(?:被拒绝|受限|已被阻止); 您的访问(?:被|已); 访问过于频繁
접근이 (?:거부|차단); 액세스(?:가)? 거부
"""
)
"""The visitor is turned away."""

ABOUT = Phrases(
    r"""
cookies?; we value your privacy; your privacy; privacy (?:settings|preferences|choices|policy|notice); gdpr
tracking technolog(?:y|ies); personal data; (?:personali[sz]ed|targeted) ad(?:s|vertising); datenschutz; privatsphare
einwilligung; werbung und tracking; vie privee; donnees personnelles; traceurs; consentement; privacidad; datos personales
galletas; consentimiento; tua privacy; dati personali; consenso; privacidade; dados pessoais; privacybeleid
persoonsgegevens; toestemming; prywatnosc; danych osobowych; ciastecz; zgod[ay]; evasteet; evasteita; kakor
informasjonskapsler; samtykke; samtycke; suti; susenky; cerez(?:ler)?; куки; файл(?:ы|ов) cookie; конфиденциальност
персональных данных; クッキー; プライバシー; 个人信息; 隐私; 隱私; 쿠키; 개인정보; ملفات تعريف الارتباط; עוגיות; คุกกี้
"""
)
"""What a request for consent is about."""

ANSWERS = Phrases(
    r"""
(?:i )?(?:accept|agree|allow|consent|approve)(?: (?:all|to all|and (?:close|continue)|& (?:close|continue)|cookies|all cookies|the cookies|everything|selected|optional cookies|recommended settings))?(?: (?:cookies|and (?:close|continue|proceed)))?
(?:got it|ok(?:ay)?|i understand|understood|yes,? i(?: a|')m (?:happy|fine)|that's (?:ok|fine)|sounds good|yes,? i agree|continue)(?:[!,. ][\w ,']{0,20})?
(?:reject|decline|deny|refuse)(?: (?:all|all cookies|optional cookies|non-essential(?: cookies)?|cookies))?
(?:continue|proceed) without (?:accepting|agreeing); (?:only |use )?(?:necessary|essential)(?: cookies)?(?: only)?
manage (?:options|cookies|preferences|choices); cookie settings
(?:alle(?:s|n)? )?(?:cookies )?(?:akzeptieren|zustimmen|annehmen|erlauben|zulassen|ablehnen)(?: und [\w ]{3,20})?
(?:ich )?stimme zu; einverstanden; zustimmen(?: und [\w ]{3,20})?; nur (?:notwendige|erforderliche)[\w ]{0,20}; verstanden
(?:tout )?accepter(?: (?:tout|et (?:fermer|continuer)|les cookies|tous les cookies))?; j'accepte; tout (?:accepter|refuser)
(?:tout )?refuser(?: tout)?; continuer sans accepter
aceptar(?: (?:todo|todas|todas las cookies|y (?:cerrar|continuar)|cookies))?; rechazar(?: (?:todo|todas))?; acepto
accett[ao](?: (?:tutti|tutto|e (?:chiudi|continua)|i cookie))?; rifiuta(?: tutto)?; aceitar(?: (?:tudo|todos))?; concordo
(?:alles )?(?:accepteren|toestaan|weigeren); (?:ja, )?(?:ik ga )?akkoord(?: en [\w ]{3,20})?; akceptuj[eę]?(?: wszystkie?)?
zgadzam sie; przejdz do serwisu; hyvaksy(?: kaikki)?; godkann(?: alla)?; acceptera(?: alla)?(?: kakor)?; godkend(?: alle)?
accepter alle; godta(?: alle)?; kabul et(?:iyorum)?; tumunu kabul et; elfogad(?:om)?; prijmout(?: vse)?; souhlasim
принять(?: все)?; соглас(?:ен|иться); хорошо; понятно; (?:すべて)?(?:同意(?:する|します)?|許可(?:する)?|受け入れる|承諾); 同意(?:并继续|並繼續)?
接受(?:所有|全部)?; 全部接受; 拒绝; (?:모두 )?(?:동의|수락|허용)(?:합니다|하기)?; (?:قبول|موافق|أوافق)(?: الكل)?; אני מסכים; ยอมรับ(?:ทั้งหมด)?
"""
)
"""How a button answers it."""

NOT_FOUND = Phrases(
    r"""
(?:this |the |that |requested |your )*(?:page|url|document|file|resource|content|article|product|item|address|site|link)(?: (?:you(?:'re| are|'ve| have)? ?\w* ?\w* ?(?:for|requested)?|was|is|could|can|has|does|cannot|can't|isn't|doesn't|not|been|be|no longer|anymore|exists?|found|available|removed|moved|deleted|missing|unavailable|or))* ?(?:not (?:be )?found|(?:does not|doesn't|no longer) exists?|cannot be found|can't be found|(?:is )?(?:no longer|not|isn't) available|has been (?:removed|deleted|moved)|is missing|unavailable)
not found; nothing (?:was )?(?:found|here|to see here)(?: here)?
(?:we )?(?:can't|cannot|couldn't|could not) find (?:that|the|this|what|your)[\w' ]{0,40}
(?:error |http )?404(?: error)?(?:[ :|-]+(?:not found|page not found|error|file not found|oops[\w ]*))?
(?:page|seite|pagina|sivu) 404; erreur 404; error 404; fehler 404; errore 404; erro 404
there(?:'s| is) nothing (?:here|to see)[\w ]*; you (?:seem|appear) to be lost; lost\?; dead link; gone; page gone
(?:die |diese )?(?:angeforderte |gesuchte )?(?:seite|datei|adresse)(?: (?:wurde|konnte|ist|existiert))?(?: leider)?(?: nicht)?(?: mehr)? ?(?:gefunden(?: werden)?|nicht gefunden(?: werden)?|nicht vorhanden|existiert nicht(?: mehr)?|nicht verfugbar)
nicht gefunden
(?:cette |la )?page (?:demandee |recherchee )?(?:est )?(?:introuvable|inexistante|non trouvee|n'existe (?:pas|plus)|n'a pas ete trouvee)
introuvable; (?:la )?pagina no (?:encontrada|existe|disponible|se encuentra)[\w ]*
no (?:se )?(?:ha )?encontr(?:ada|amos|ado|o)[\w ]*; pagina non (?:trovata|disponibile|esiste)
(?:la )?pagina non (?:e stata trovata|esiste); pagina nao (?:encontrada|existe); pagina (?:is )?niet gevonden; niet gevonden
nie znaleziono(?: strony)?; strona nie (?:zostala znaleziona|istnieje); sidan (?:hittades inte|finns inte|kunde inte hittas)
siden (?:blev ikke fundet|finnes ikke|ble ikke funnet); sivua ei (?:loytynyt|loydy); stranka nenalezena; sayfa bulunamadi
страница не (?:найдена|существует); не найден[ао]?; сторінк[уа] не знайдено; ページが見つかりません(?:でした)?
お探しのページ(?:は|が)[\w]{0,20}(?:見つかりません|存在しません)(?:でした)?; (?:找不到|未找到)(?:该|此|您要的)?(?:页面|網頁|頁面|网页); 页面(?:不存在|未找到|走丢了); 頁面不存在
您访问的页面不存在; 페이지를 찾을 수 없습니다; الصفحة غير موجودة; הדף לא נמצא; ไม่พบหน้า(?:ที่คุณต้องการ)?
"""
)
"""There is no such page."""

FAILED = Phrases(
    r"""
(?:oops|whoops|uh[- ]oh|sorry|ouch|yikes|hmm+|snap|darn|aw,? snap)?[!.,: ]*(?:something|things?) (?:went|has gone|is) (?:terribly |horribly )?wrong[\w ,']{0,40}
(?:an? |some )?(?:unexpected |unknown |internal |server |application |client |technical |fatal |critical )*error(?: has| just)? occur(?:r?ed|s)[\w ,']{0,40}
(?:we(?:'re| are)? )?(?:experiencing|having) (?:some )?(?:technical )?(?:difficulties|problems|issues|trouble)[\w ,']{0,40}
(?:unexpected|internal(?: server)?|server|application|unknown|system|fatal|critical|runtime) error
(?:failed|unable) to load[\w ,']{0,40}; access denied; (?:you )?(?:do not|don't) have (?:permission|access)[\w ,']{0,40}
(?:could not|couldn't|cannot|can't|failed to|unable to) (?:load|connect|fetch|retrieve|reach)[\w ,']{0,40}
connection (?:lost|failed|refused|error)
(?:this |the )?(?:service|site|website|page|server)(?: is)? (?:currently |temporarily )*(?:unavailable|down|offline|not available)[\w ,']{0,30}
(?:down for|under|scheduled|undergoing) (?:scheduled |planned )?maintenance
(?:we(?:'ll| will)(?: be)?|be) (?:right |right-)?back[\w ]{0,20}; you(?:'re| are) (?:currently )?offline
no (?:internet|network) connection; (?:briefly )?unavailable for scheduled maintenance[\w .,']{0,40}
maintenance(?: mode| in progress)?; (?:oops|whoops|uh[- ]oh)
(?:your |this )?browser (?:is )?(?:not|no longer|isn't) supported; (?:unsupported|outdated) browser
(?:please )?(?:update|upgrade) your browser; (?:you need to |please )?enable javascript[\w ,']{0,60}
[\w ]{0,20}(?:requires|needs) javascript[\w ,']{0,40}; (?:is )?not available in your (?:country|region|location)
[\w ]{0,40}unavailable in your (?:country|region|location); (?:da )?ist etwas schief(?: ?gelaufen| ?gegangen)
etwas ist schief(?: ?gelaufen| ?gegangen)
(?:es ist )?ein (?:unerwarteter |interner |technischer )?fehler(?: ist)? aufgetreten
(?:derzeit|momentan|vorubergehend) nicht (?:erreichbar|verfugbar); wartungsarbeiten; wartungsmodus
une erreur (?:inattendue |technique |interne )?(?:est survenue|s'est produite)
(?:quelque chose|un probleme) (?:s'est mal passe|est survenu); en (?:cours de )?maintenance
(?:algo|hubo algo que) salio mal; (?:se )?(?:ha )?(?:produjo|ocurrido|producido) un error[\w ]*; ha ocurrido un error[\w ]*
en mantenimiento; qualcosa e andato storto; si e verificato un errore[\w ]*; algo deu errado; ocorreu um erro[\w ]*
er is iets (?:fout|mis) ?gegaan; er is een fout opgetreden; cos poszlo nie tak; wystapil blad; nagot gick fel
noget gik galt; jotain meni pieleen; bir (?:seyler ters gitti|hata olustu); neco se pokazilo; что-то пошло не так
произошла ошибка; сервис временно недоступен; технические работы; エラーが発生しました; 問題が発生しました; メンテナンス中(?:です)?; ただいまメンテナンス中です; 出错了
发生(?:了)?错误; 發生錯誤; 系统维护中?; 服务器错误; 服务(?:暂时)?不可用; 오류가 발생했습니다; 문제가 발생했습니다; 점검 중(?:입니다)?; حدث خطأ; אירעה שגיאה; משהו השתבש
เกิดข้อผิดพลาด
"""
)
"""Something failed, or is closed for now."""

# What the small print of such a page holds and an article does not: a number of the incident, or what the browser lacks.
SMALL_PRINT = regex.compile(
    r"\b(?:ray|incident|reference|request|event|support|block|error|session|trace) ?(?:id|#|number|no\.?)?[ :#]{1,3}#?[0-9a-f][0-9a-f.\-]{7,}|\breference ?#\d|"
    r"enable (?:javascript and cookies|cookies and javascript|cookies|javascript)|activ(?:ez|ar|er) (?:javascript|les cookies)|aktivieren sie (?:javascript|cookies)|"
    r"your ip(?: address)?(?: is)?[ :]|performance (?:and|&) security by|site owner|web ?master|anti-?ddos|captcha"
)

# Texts that only machines write, at the head of a page.
MACHINE = (
    (
        "server-default",
        "nginx",
        r"^welcome to nginx!?$|^welcome to (?:openresty|tengine)!?$|^test page for the nginx http server",
    ),
    (
        "server-default",
        "Apache",
        r"apache2? (?:ubuntu|debian|centos|http server)?[\w ]*default page|^it works!?$|^test page for the (?:apache|http server)|^apache http server test page|^http server test page",
    ),
    ("server-default", "IIS", r"^iis windows(?: server)?$|^internet information services$"),
    ("server-default", "Tomcat", r"if you're seeing this, you've successfully installed tomcat|^apache tomcat/[\d.]+$"),
    ("server-default", "Caddy", r"^caddy works!?$|^your web server is working\.? congratulations!?"),
    ("server-default", "lighttpd", r"^welcome to lighttpd|^placeholder page$"),
    (
        "server-default",
        "a host",
        r"^default (?:web ?site|page|plesk page|web page)\b|^web server'?s default page|^domain default page|^welcome to your new (?:website|site|web space)|^your new web server is ready to use|^site (?:is )?under construction|^(?:this|the) (?:domain|website) (?:name )?is for sale|^(?:this )?account (?:has been )?suspended|^this site (?:has been|is) suspended|^this domain (?:has expired|is parked)|^future home of something",
    ),
    (
        "server-default",
        "Heroku, Netlify, GitHub and others",
        r"^there's nothing here, yet|^heroku \| (?:no such app|application error|welcome)|^there isn't a github pages site here|^this deployment (?:has been|is) (?:disabled|paused)|^the deployment could not be found|^no such (?:app|bucket)$|^site not found( · github pages)?$",
    ),
    (
        "server-error",
        "a server",
        r"^(?:error )?[45]\d\d[ :\-\u2013|.]+(?:error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|internal server error|not found|forbidden|bad request|unauthorized|method not allowed|gone|backend fetch failed|origin)|^http status [45]\d\d|^http error [45]\d\d|^bad gateway$|^gateway time-?out$|^internal server error$|^service (?:temporarily )?unavailable$|^server error in '.*' application|^runtime error$|^whitelabel error page$|^error: the request could not be satisfied|^guru meditation|^no healthy upstream$|^upstream connect error|^application error$|^proxy error$|^web server is down$|^the requested url could not be retrieved|^error 1\d\d\d\b|^an error occurred while processing your request|^503 backend fetch failed|^error establishing a (?:database|redis) connection|^database (?:connection )?error$|^cannot (?:get|post) /\S*$|^index of /$(?!)",
    ),
    (
        "framework-error",
        "a framework",
        r"^(?:fatal|parse) error: |^(?:uncaught|unhandled) (?:\w+)?(?:error|exception)|^traceback \(most recent call last\)|^(?:\w+\.)*\w+(?:error|exception)(?: at /|: )|^application error: a (?:client|server)-side exception|^action controller: exception caught|^unhandled runtime error|^failed to compile|^compiled with (?:problems|errors)|^we're sorry, but something went wrong|^this page (?:isn't|is not) working|\bwerkzeug debugger$|^there has been a critical error on this website|^hmm\.{3} we're having trouble|^stack trace$|^an unhandled exception occurred",
    ),
)

SORRY = regex.compile(
    r"^[\p{P}\p{S}\s]*(?:(?:we(?:'re| are) (?:very |so |really )?)?sorry|oops|whoops|uh[- ]oh|error|hmm+|yikes|ouch|leider|entschuldigung|desole|nous sommes desoles|lo sentimos|ops|"
    r"죄송합니다|申し訳(?:ございません|ありません)|抱歉|对不起|извините)[\p{P}\p{S}\s]+(?:but )?(?=\S)"
)
"""How such a message begins before it says anything."""
