/** One known refusal or challenge page. All given conditions must hold; `maxText` keeps ordinary pages that merely mention a captcha out. */
export interface BlockRule {
  readonly name: string
  readonly title?: RegExp
  /** Every one of these stands in the markup. */
  readonly all?: readonly string[]
  /** One of these stands in the markup. */
  readonly any?: readonly string[]
  /** Most characters of visible text such a page has. */
  readonly maxText: number
}

/** Seen on the challenge and refusal pages of the big protections; scripts that also stand on ordinary pages are no sign by themselves. */
export const BLOCK_RULES: readonly BlockRule[] = [
  {
    name: 'Cloudflare',
    any: ['window._cf_chl_opt', 'id="challenge-form"', 'id="cf-challenge-running"', 'cf-browser-verification'],
    maxText: 2000,
  },
  {
    name: 'Cloudflare',
    title: /^(?:Attention Required! \| Cloudflare|Access denied \| .* used Cloudflare to restrict access|Just a moment\.\.\.)$/,
    maxText: 3000,
  },
  { name: 'Cloudflare', all: ['cf-error-details', 'cf-error-code'], maxText: 3000 },
  { name: 'DataDome', any: ['geo.captcha-delivery.com/', 'ct.captcha-delivery.com/'], maxText: 800 },
  { name: 'HUMAN', any: ['id="px-captcha"', "id='px-captcha'", 'captcha.px-cdn.net', '/captcha/captcha.js?a=c&u='], maxText: 1500 },
  { name: 'HUMAN', title: /^Access to this page has been denied\.?$/, maxText: 2000 },
  {
    name: 'Akamai',
    title: /^Access Denied$/i,
    any: ['errors.edgesuite.net', "You don't have permission to access", 'Reference&#32;&#35;'],
    maxText: 800,
  },
  { name: 'Akamai', any: ['id="sec-if-cpt-container"', '/_sec/cp_challenge/', 'sec-cpt-if'], maxText: 1500 },
  { name: 'Akamai', all: ['bm-verify=', 'http-equiv="refresh"'], maxText: 300 },
  {
    name: 'Imperva',
    any: ['_Incapsula_Resource?', 'Incapsula incident ID', 'iframe id="main-iframe" src="/_Incapsula_Resource'],
    maxText: 500,
  },
  { name: 'AWS WAF', any: ['token.awswaf.com/', 'captcha.awswaf.com/', 'window.awsWafCookieDomainList'], maxText: 400 },
  { name: 'Kasada', any: ['window.KPSDK=', '/149e9513-01fa-4fb0-aad4-566afd725d1b/', 'KPSDK.scriptStart'], maxText: 300 },
  { name: 'F5', title: /^Request Rejected$/i, all: ['support ID is'], maxText: 800 },
  { name: 'F5', any: ['window["bobcmd"]', 'window["_shape_', 'TSPD_101'], maxText: 200 },
  { name: 'Sucuri', title: /^Sucuri Web[Ss]ite Firewall - Access Denied$/, maxText: 2000 },
  { name: 'Sucuri', any: ['sucuri_cloudproxy_js'], maxText: 300 },
  { name: 'SiteGround', any: ['/.well-known/sgcaptcha/', '/.well-known/captcha/'], maxText: 600 },
  { name: 'DDoS-Guard', title: /^DDo[Ss]-Guard$/, maxText: 1500 },
  { name: 'DDoS-Guard', any: ['check.ddos-guard.net/check.js', '/.well-known/ddos-guard/'], maxText: 400 },
  { name: 'Vercel', title: /^Vercel Security Checkpoint$/, maxText: 1500 },
  { name: 'Fastly', title: /^Client Challenge$/, any: ['/_fs-ch-'], maxText: 1000 },
  { name: 'Anubis', any: ['id="anubis_challenge"', '/.within.website/x/cmd/anubis/'], maxText: 2500 },
  { name: 'Radware', any: ['validate.perfdrive.com/', 'Radware Captcha Page', 'Radware Bot Manager Captcha'], maxText: 2000 },
  { name: 'Reblaze', any: ['window.rbzns=', 'window.rbzns ='], maxText: 300 },
  { name: 'Wordfence', all: ['Wordfence', 'Your access to this site has been limited'], maxText: 3000 },
  { name: 'Amazon', any: ['/errors/validateCaptcha', 'opfcaptcha.amazon'], maxText: 1500 },
  { name: 'Amazon CloudFront', title: /^ERROR: The request could not be satisfied$/, all: ['cloudfront'], maxText: 1500 },
  { name: 'Google', any: ['id="captcha-form" action="index"', 'unusual traffic from your computer network'], maxText: 2500 },
  { name: 'Yandex', any: ['/showcaptcha?', 'class="CheckboxCaptcha', 'class="AdvancedCaptcha'], maxText: 1500 },
  { name: 'Baidu', title: /^百度安全验证$/, maxText: 1500 },
  { name: 'Alibaba', any: ['/_____tmd_____/', 'punish-component', 'nocaptcha/index.css'], maxText: 800 },
  { name: 'Qrator', any: ['/__qrator/qauth', '__qrator/validate'], maxText: 600 },
  {
    name: 'a bot check',
    title:
      /^(?:are you (?:a )?(?:human|robot|not a robot)\??|verify(?:ing)? (?:that )?you(?:'re| are) (?:a )?human\.*|verification required|human verification|bot verification|robot check|security check(?: required)?|captcha(?: check| required)?|checking your browser.*|one moment, please\.*|please verify you are (?:a )?human.*|making sure you(?:'|&#39;|\u2019)re not a bot!?|pardon our interruption\.*|you have been blocked|please wait\.* \| cloudflare|browser check|access denied)$/i,
    maxText: 900,
  },
  {
    name: 'a captcha',
    any: ['class="g-recaptcha"', 'class="h-captcha"', 'class="cf-turnstile"', 'class="frc-captcha"', 'class="geetest_'],
    title: /captcha|robot|human|verif|security|blocked|denied|challenge/i,
    maxText: 600,
  },
]
