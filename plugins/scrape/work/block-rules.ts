/**
 * What a page is instead of the requested content: a refusal or check of a protection, a captcha, a login wall, a
 * page with status 200 that reports a missing page, a shell that scripts would fill.
 */
export type VerdictKind = 'block' | 'captcha' | 'login' | 'missing' | 'empty'

/** One known page of this kind. All given conditions must hold; the text limits exclude ordinary pages that merely mention such a thing. */
export interface PageRule {
  readonly kind: VerdictKind
  readonly name: string
  /** Matches the whole title. */
  readonly title?: RegExp
  /** Matches a part of the title (separated by `|`, `-`, `:` and the like), or the first heading. */
  readonly heading?: RegExp
  /** Matches the visible text. */
  readonly words?: RegExp
  /** All of these occur in the markup. */
  readonly all?: readonly string[]
  /** One of these occurs in the markup. */
  readonly any?: readonly string[]
  /** None of these occurs in the markup. */
  readonly none?: readonly string[]
  /** The page has a password field. */
  readonly password?: true
  /** The page has another path than the requested one, matching this. */
  readonly redirected?: RegExp
  /** Path and query of an address that was requested on purpose: such a page is then its content. */
  readonly unlessAsked?: RegExp
  /** Maximum characters of visible text. */
  readonly maxText: number
  /** The same without navigation, header and footer. */
  readonly maxMain?: number
}

/** Paths of login pages. */
export const LOGIN_PATH =
  /(?:^|\/)(?:log-?in|sign-?in|sign_in|logon|sso|authwall|wp-login\.php|accountchooser|auth\/login|oauth2?\/(?:authorize|auth|v2))(?:[/.;?]|$)/i
/** Paths of error pages, and of sites' own not-found pages. */
const ERROR_PATH = /(?:^|[/_.=?-])(?:404|410)(?:[/_.=&-]|$)|not[-_]?found|http[-_]?status|error|nicht-gefunden|introuvable|no-encontrad/i

/** Matches a whole text that is one of these. */
function oneOf(...phrases: readonly string[]): RegExp {
  return new RegExp(`^(?:${phrases.join('|')})[\\s.!…]*$`, 'iu')
}

/** Phrases for a missing page in titles or headings. */
const NOT_FOUND = oneOf(
  // English
  '(?:http )?(?:error )?(?:404|410)(?: error)?(?: page)?',
  "(?:(?:http )?(?:error )?404[ :.,–-]+)?(?:(?:oops|sorry|uh oh|whoops)[!,.]* )?(?:(?:the|that|this|your) )?(?:requested )?(?:page|file|content|document|article|product|listing|post|site|url|resource)(?: you (?:requested|are looking for|were looking for))? (?:(?:was |is |could )?not|(?:is )?no longer|(?:ca|is|was|could)n[’']t|cannot)(?: be)? (?:found|available)",
  '(?:404[ :.,–-]+)?not found',
  "(?:(?:oops|sorry)[!,.]* )?(?:this|the|that) (?:page|content|article|product|listing|post) (?:doesn[’']t|does not|no longer) exists?(?: anymore)?",
  "(?:(?:oops|sorry)[!,.]* )?we (?:can[’']t|cannot|could not|couldn[’']t) find (?:that|the|this) page(?: you.{0,40})?",
  // German
  '(?:fehler 404|404 fehler)',
  '(?:404[ :.,–-]+)?(?:(?:die|diese) )?(?:angeforderte |gewünschte |gesuchte |von ihnen gesuchte )?(?:seite|datei) (?:wurde |konnte |existiert |ist )?(?:leider )?nicht(?: mehr)?(?: gefunden(?: werden)?| vorhanden| verfügbar)?',
  // French
  'erreur 404',
  "(?:404[ :.,–-]+)?(?:(?:la|cette) )?page (?:demandée |recherchée )?(?:est )?(?:introuvable|non trouvée|inexistante|n[’']existe (?:pas|plus)|n[’']a pas été trouvée)",
  // Spanish, Portuguese, Italian
  '(?:404[ :.,–-]+)?(?:(?:la|esta|a) )?página (?:no encontrada|no existe|não encontrada|não existe|não foi encontrada|no disponible)',
  'no (?:se ha encontrado|se encontró|encontramos|hemos encontrado) la página',
  '(?:error[e]?|erro) 404',
  '(?:404[ :.,–-]+)?(?:(?:la|questa) )?pagina (?:non trovata|non esiste|non è stata trovata|inesistente)',
  // Dutch, Polish, Czech, Hungarian, Romanian
  '(?:404[ :.,–-]+)?(?:(?:de|deze) )?pagina (?:niet gevonden|bestaat niet(?: meer)?|is niet gevonden|kan niet worden gevonden)',
  '(?:404[ :.,–-]+)?(?:nie znaleziono(?: strony)?|(?:ta )?strona nie (?:istnieje|została znaleziona))',
  '(?:404[ :.,–-]+)?strán(?:ka|ku) (?:nenalezena|nebyla nalezena|neexistuje|jsme nenašli)',
  '(?:404[ :.,–-]+)?(?:az )?oldal nem található',
  '(?:404[ :.,–-]+)?pagin(?:a|ă) (?:nu a fost găsită|negăsită|nu există)',
  // Swedish, Danish, Norwegian, Finnish
  '(?:404[ :.,–-]+)?sid(?:an|en) (?:kunde inte hittas|hittades inte|finns inte|blev ikke fundet|kunne ikke findes|findes ikke|ble ikke funnet|finnes ikke)',
  '(?:404[ :.,–-]+)?(?:fant ikke siden|sivua ei löyt(?:ynyt|y))',
  // Russian, Ukrainian, Greek, Turkish
  '(?:ошибка 404|(?:404[ :.,–-]+)?(?:страница (?:не найдена|не существует|удалена)|такой страницы (?:нет|не существует)))',
  '(?:404[ :.,–-]+)?сторінк[ау] не знайдено?',
  '(?:404[ :.,–-]+)?η σελίδα δεν βρέθηκε',
  '(?:404[ :.,–-]+)?(?:aradığınız )?sayfa bulunamadı',
  // Japanese, Chinese, Korean, Vietnamese, Indonesian, Arabic
  '(?:404[ :.,–-]*)?(?:お探しの|指定された|ご指定の)?(?:ページ|記事|商品)(?:が|は)(?:見つかりません(?:でした)?|存在しません)',
  '(?:404[ :.,–-]*)?(?:抱歉[,，] ?)?(?:您访问的|该|此)?(?:页面|网页|頁面|網頁)(?:不存在|未找到|找不到|没有找到|走丢了)',
  '(?:404[ :.,–-]*)?找不到(?:该|此|您访问的)?(?:页面|网页|頁面|網頁)',
  '(?:404[ :.,–-]*)?(?:요청하신 )?페이지를 찾을 수 없습니다',
  'không tìm thấy trang|halaman tidak ditemukan|الصفحة غير موجودة',
)

/** Headings of login forms. */
const LOG_IN = oneOf(
  '(?:please )?(?:log|sign)[ -]?(?:in|on)(?: (?:to|or) .{1,60}| required)?',
  'login(?: .{1,30})?|(?:member|customer|user|account) login|authentication required',
  '(?:bitte )?(?:melden sie sich an|anmelden|einloggen|anmeldung|login erforderlich)(?: .{1,40})?',
  '(?:se )?connect(?:er|ez-vous)(?: .{1,40})?|connexion|identifiez-vous|authentification',
  'inici(?:ar|a) sesión(?: .{1,40})?|acceder|entrar|iniciar sessão|fazer login|faça login(?: .{1,40})?',
  'acced[ei](?: .{1,40})?|accesso|effettua il login',
  'inloggen|log in bij .{1,40}|zaloguj(?: się)?(?: .{1,40})?|logowanie|přihlá(?:šení|sit se)|bejelentkezés|autentificare|conectare',
  'logga in|log ind|logg inn|kirjaudu(?: sisään)?|giriş(?: yap)?|oturum aç',
  '(?:войти|вход|авторизация|увійти|вхід)(?: .{1,40})?|σύνδεση',
  'ログイン|登录|登錄|登入|用户登录|로그인|đăng nhập|تسجيل الدخول',
)

/** Phrases for content that requires a login. */
const MEMBERS_ONLY =
  /(?:you (?:must|need to|have to) (?:be )?(?:logged|signed|log|sign)[ -]?in to (?:view|see|read|access|continue)|(?:please )?(?:log|sign) in (?:or (?:register|sign up|join) )?to (?:view|see|read|access|continue)|(?:this (?:content|page|article) is (?:only )?(?:for|available to|restricted to) (?:logged[ -]in |registered )?(?:members|subscribers|users))|(?:melden sie sich an|bitte einloggen), um .{0,40}(?:zu sehen|zu lesen|fortzufahren)|connectez-vous pour (?:voir|lire|accéder|continuer)|inicia sesión para (?:ver|leer|acceder|continuar)|accedi per (?:vedere|leggere|continuare)|faça login para (?:ver|ler|acessar|continuar)|войдите,? чтобы (?:просмотреть|увидеть|читать|продолжить)|请(?:先)?登录后(?:查看|阅读|继续)|ログインして(?:ください|続行))/i

/** Phrases of pages that require scripts. */
const NEEDS_SCRIPTS =
  /(?:(?:enable|turn on|activate|switch on|allow|requires?|needs?|without) (?:your browser[’']s )?java ?script|java ?script (?:is|must be|has to be|needs to be) (?:required|enabled|disabled|turned (?:on|off)|activated|not enabled)|java ?script (?:aktivieren|ist deaktiviert|muss aktiviert|wird benötigt)|activ(?:er|ez) java ?script|java ?script (?:est désactivé|doit être activé)|(?:habilit[ae]r?|activ[ae]r?|active|ative|abilita(?:re)?|attiva(?:re)?) (?:el |o )?java ?script|schakel java ?script in|włącz java ?script|включите java ?script|请(?:启用|开启) ?java ?script|java ?scriptを有効)/i

/** Complete text of a page that is still loading. */
const NOT_YET =
  /^(?:loading|please wait|just a (?:moment|second)|one moment(?: please)?|wird geladen|lädt|bitte warten|chargement(?: en cours)?|cargando|carregando|caricamento(?: in corso)?|laden|ładowanie|загрузка|加载中|載入中|読み込み中|로딩 ?중)[\s.…]*$/i

/** Phrases of pages that check for a human visitor. */
const HUMAN =
  /(?:not a robot|(?:you are|you're|you’re) (?:a )?human|human verification|verify (?:that )?you|prove (?:that )?you|unusual (?:traffic|activity)|security check|complete the (?:captcha|challenge|security)|solve the (?:captcha|puzzle)|automated (?:requests|queries|access)|kein (?:ro)?bot|menschen? (?:sind|handelt)|sicherheitsüberprüfung|pas un robot|no (?:soy|eres) un robot|não (?:sou|é) um robô|non sono un robot|geen robot|не робот|ロボットではありません|人机验证|验证您是真人|로봇이 아닙니다)/i

/**
 * The first match decides. Rules for protections use the signs of their challenge and refusal pages; scripts that
 * also occur on ordinary pages are not sufficient.
 */
export const PAGE_RULES: readonly PageRule[] = [
  {
    kind: 'block',
    name: 'Cloudflare',
    any: ['window._cf_chl_opt', 'id="challenge-form"', 'id="cf-challenge-running"', 'cf-browser-verification'],
    maxText: 2000,
  },
  {
    kind: 'block',
    name: 'Cloudflare',
    title: /^(?:Attention Required! \| Cloudflare|Access denied \| .* used Cloudflare to restrict access|Just a moment\.\.\.)$/,
    maxText: 3000,
  },
  { kind: 'block', name: 'Cloudflare', all: ['cf-error-details', 'cf-error-code'], maxText: 3000 },
  { kind: 'block', name: 'DataDome', any: ['geo.captcha-delivery.com/', 'ct.captcha-delivery.com/'], maxText: 800 },
  {
    kind: 'block',
    name: 'HUMAN',
    any: ['id="px-captcha"', "id='px-captcha'", 'captcha.px-cdn.net', '/captcha/captcha.js?a=c&u='],
    maxText: 1500,
  },
  { kind: 'block', name: 'HUMAN', title: /^Access to this page has been denied\.?$/, maxText: 2000 },
  {
    kind: 'block',
    name: 'Akamai',
    title: /^Access Denied$/i,
    any: ['errors.edgesuite.net', "You don't have permission to access", 'Reference&#32;&#35;'],
    maxText: 800,
  },
  { kind: 'block', name: 'Akamai', any: ['id="sec-if-cpt-container"', '/_sec/cp_challenge/', 'sec-cpt-if'], maxText: 1500 },
  { kind: 'block', name: 'Akamai', all: ['bm-verify=', 'http-equiv="refresh"'], maxText: 300 },
  {
    kind: 'block',
    name: 'Imperva',
    any: ['_Incapsula_Resource?', 'Incapsula incident ID', 'iframe id="main-iframe" src="/_Incapsula_Resource'],
    maxText: 500,
  },
  { kind: 'block', name: 'AWS WAF', any: ['token.awswaf.com/', 'captcha.awswaf.com/', 'window.awsWafCookieDomainList'], maxText: 400 },
  { kind: 'block', name: 'Kasada', any: ['window.KPSDK=', '/149e9513-01fa-4fb0-aad4-566afd725d1b/', 'KPSDK.scriptStart'], maxText: 300 },
  { kind: 'block', name: 'F5', title: /^Request Rejected$/i, all: ['support ID is'], maxText: 800 },
  { kind: 'block', name: 'F5', any: ['window["bobcmd"]', 'window["_shape_', 'TSPD_101'], maxText: 200 },
  { kind: 'block', name: 'Sucuri', title: /^Sucuri Web[Ss]ite Firewall - Access Denied$/, maxText: 2000 },
  { kind: 'block', name: 'Sucuri', any: ['sucuri_cloudproxy_js'], maxText: 300 },
  { kind: 'block', name: 'SiteGround', any: ['/.well-known/sgcaptcha/', '/.well-known/captcha/'], maxText: 600 },
  { kind: 'block', name: 'DDoS-Guard', title: /^DDo[Ss]-Guard$/, maxText: 1500 },
  { kind: 'block', name: 'DDoS-Guard', any: ['check.ddos-guard.net/check.js', '/.well-known/ddos-guard/'], maxText: 400 },
  { kind: 'block', name: 'Vercel', title: /^Vercel Security Checkpoint$/, maxText: 1500 },
  { kind: 'block', name: 'Fastly', title: /^Client Challenge$/, any: ['/_fs-ch-'], maxText: 1000 },
  { kind: 'block', name: 'Anubis', any: ['id="anubis_challenge"', '/.within.website/x/cmd/anubis/'], maxText: 2500 },
  {
    kind: 'block',
    name: 'Radware',
    any: ['validate.perfdrive.com/', 'Radware Captcha Page', 'Radware Bot Manager Captcha'],
    maxText: 2000,
  },
  { kind: 'block', name: 'Reblaze', any: ['window.rbzns=', 'window.rbzns ='], maxText: 300 },
  { kind: 'block', name: 'Wordfence', all: ['Wordfence', 'Your access to this site has been limited'], maxText: 3000 },
  { kind: 'captcha', name: 'Amazon', any: ['/errors/validateCaptcha', 'opfcaptcha.amazon'], maxText: 1500 },
  { kind: 'block', name: 'Amazon CloudFront', title: /^ERROR: The request could not be satisfied$/, all: ['cloudfront'], maxText: 1500 },
  {
    kind: 'captcha',
    name: 'Google',
    any: ['id="captcha-form" action="index"', 'unusual traffic from your computer network'],
    maxText: 2500,
  },
  { kind: 'captcha', name: 'Yandex', any: ['/showcaptcha?', 'class="CheckboxCaptcha', 'class="AdvancedCaptcha'], maxText: 1500 },
  { kind: 'block', name: 'Baidu', title: /^百度安全验证$/, maxText: 1500 },
  { kind: 'block', name: 'Alibaba', any: ['/_____tmd_____/', 'punish-component', 'nocaptcha/index.css'], maxText: 800 },
  { kind: 'block', name: 'Qrator', any: ['/__qrator/qauth', '__qrator/validate'], maxText: 600 },
  {
    kind: 'captcha',
    name: 'a captcha',
    any: ['class="g-recaptcha"', 'class="h-captcha"', 'class="cf-turnstile"', 'class="frc-captcha"', 'class="geetest_'],
    title: /captcha|robot|human|verif|security|blocked|denied|challenge/i,
    maxText: 600,
  },
  {
    kind: 'captcha',
    name: 'a captcha',
    any: [
      'g-recaptcha',
      'recaptcha/api.js',
      'recaptcha/enterprise.js',
      'h-captcha',
      'hcaptcha.com/1/api.js',
      'cf-turnstile',
      'turnstile/v0/api.js',
      'frc-captcha',
      'geetest',
      'arkoselabs.com',
      'funcaptcha',
      'mtcaptcha',
    ],
    words: HUMAN,
    maxText: 1000,
  },
  {
    kind: 'block',
    name: 'a bot check',
    title:
      /^(?:are you (?:a )?(?:human|robot|not a robot)\??|verify(?:ing)? (?:that )?you(?:'re| are) (?:a )?human\.*|verification required|human verification|bot verification|robot check|security check(?: required)?|captcha(?: check| required)?|checking your browser.*|one moment, please\.*|please verify you are (?:a )?human.*|making sure you(?:'|&#39;|\u2019)re not a bot!?|pardon our interruption\.*|you have been blocked|please wait\.* \| cloudflare|browser check|access denied)$/i,
    maxText: 900,
  },
  { kind: 'login', name: 'a login page', redirected: LOGIN_PATH, password: true, unlessAsked: LOGIN_PATH, maxText: Infinity },
  { kind: 'login', name: 'a login page', redirected: LOGIN_PATH, unlessAsked: LOGIN_PATH, maxText: 2000 },
  { kind: 'login', name: 'a login page', heading: LOG_IN, password: true, unlessAsked: LOGIN_PATH, maxText: 3000, maxMain: 900 },
  { kind: 'login', name: 'a login wall', words: MEMBERS_ONLY, unlessAsked: LOGIN_PATH, maxText: 3000, maxMain: 700 },
  { kind: 'missing', name: 'a page for what is not there', heading: NOT_FOUND, redirected: ERROR_PATH, maxText: 8000, maxMain: 4000 },
  { kind: 'missing', name: 'a page for what is not there', heading: NOT_FOUND, unlessAsked: ERROR_PATH, maxText: 6000, maxMain: 900 },
  {
    kind: 'empty',
    name: 'a page without text',
    any: ['<script'],
    none: ['<img', 'application/ld+json', '<frame'],
    words: /^$/,
    maxText: 200,
  },
  { kind: 'empty', name: 'a page that needs scripts', any: ['<script'], words: NEEDS_SCRIPTS, maxText: 400 },
  { kind: 'empty', name: 'a page that is still loading', any: ['<script'], words: NOT_YET, maxText: 60 },
]
