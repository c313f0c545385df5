import type { RuleGroup } from '../rule.js'

export const consent: RuleGroup = {
  category: 'cookie consent',
  rules: [
    {
      name: 'OneTrust',
      docs: 'OneTrust Developer Portal: Banner SDK',
      urls: ['cdn.cookielaw.org/', 'optanon.blob.core.windows.net/', 'cookie-cdn.cookiepro.com/'],
      cookies: ['optanonconsent'],
      globals: ['optanonwrapper'],
    },
    {
      name: 'Cookiebot',
      docs: 'Cookiebot Support: Manual implementation',
      urls: ['consent.cookiebot.com/'],
      cookies: ['cookieconsent'],
      html: ['data-cbid=', 'id="cookiebot"'],
    },
    {
      name: 'Usercentrics',
      docs: 'Usercentrics Documentation: Browser UI',
      urls: ['app.usercentrics.eu/', 'privacy-proxy.usercentrics.eu/', 'web.cmp.usercentrics.eu/'],
      html: ['id="usercentrics-cmp"'],
    },
    {
      name: 'TrustArc',
      docs: 'TrustArc Documentation: Cookie consent manager',
      urls: ['consent.trustarc.com/', 'consent-pref.trustarc.com/'],
      cookies: ['notice_behavior'],
    },
    { name: 'Osano', docs: 'Osano Documentation: Install the consent script', urls: ['cmp.osano.com/'] },
    {
      name: 'CookieYes',
      docs: 'CookieYes Documentation: Installation code',
      urls: ['cdn-cookieyes.com/', '/plugins/cookie-law-info/'],
      cookies: ['cookieyes-consent'],
    },
    {
      name: 'Complianz',
      docs: 'Complianz Documentation: Cookie banner',
      urls: ['/plugins/complianz-gdpr'],
      cookies: ['cmplz_*'],
      globals: ['var complianz ='],
    },
    {
      name: 'Didomi',
      docs: 'Didomi Developer Documentation: Web SDK setup',
      urls: ['sdk.privacy-center.org/'],
      globals: ['didomiconfig', 'didomionready'],
    },
    {
      name: 'iubenda',
      docs: 'iubenda Help: Privacy controls and cookie solution',
      urls: ['cdn.iubenda.com/', 'cs.iubenda.com/'],
      globals: ['_iub.csconfiguration'],
    },
    {
      name: 'Klaro',
      docs: 'Klaro Documentation: Getting started',
      urls: ['/klaro.js', 'cdn.kiprotect.com/klaro/'],
      globals: ['klaroconfig'],
    },
    {
      name: 'Borlabs Cookie',
      docs: 'Borlabs Cookie Documentation: Setup',
      urls: ['/plugins/borlabs-cookie/'],
      cookies: ['borlabs-cookie'],
    },
    {
      name: 'consentmanager',
      docs: 'consentmanager Help: CMP code',
      urls: ['delivery.consentmanager.net/', 'cdn.consentmanager.net/'],
      globals: ['cmp_autoblocking', 'window.cmp_id'],
    },
    { name: 'Termly', docs: 'Termly Support: Consent banner installation', urls: ['app.termly.io/'] },
  ],
}
