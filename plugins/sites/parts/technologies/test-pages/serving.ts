import type { TestPage } from './page.js'

/** Products for serving, delivery and monitoring. */
export const SERVING: readonly TestPage[] = [
  { category: 'web server', headers: { server: 'nginx/1.25.3 (Ubuntu)' }, shows: { nginx: '1.25.3' } },
  {
    category: 'web server',
    headers: { server: 'Apache/2.4.58 (Debian)', 'x-varnish': '32770 5', via: '1.1 varnish (Varnish/7.4)' },
    shows: { 'Apache HTTP Server': '2.4.58', Varnish: null },
  },
  { category: 'web server', headers: { server: 'Microsoft-IIS/10.0' }, shows: { 'Microsoft IIS': '10.0' } },
  {
    category: 'cdn',
    headers: { server: 'cloudflare', 'cf-ray': '8a1b2c3d4e5f-FRA', 'cf-cache-status': 'HIT' },
    body: '<script src="https://cdn.jsdelivr.net/npm/a@1/a.js"></script><script src="https://cdnjs.cloudflare.com/ajax/libs/a/1/a.js"></script><img src="https://res.cloudinary.com/acme/a.jpg">',
    shows: { Cloudflare: null, jsDelivr: null, cdnjs: null, Cloudinary: null },
  },
  {
    category: 'cdn',
    headers: { via: '1.1 abc.cloudfront.net (CloudFront)', 'x-amz-cf-id': 'abc', 'x-amz-cf-pop': 'FRA56-P1' },
    shows: { 'Amazon CloudFront': null },
  },
  { category: 'hosting platform', headers: { server: 'Vercel', 'x-vercel-id': 'fra1::abc' }, shows: { Vercel: null } },
  {
    category: 'hosting platform',
    url: 'https://acme.github.io/',
    headers: { server: 'GitHub.com', 'x-github-request-id': 'A:B' },
    shows: { 'GitHub Pages': null },
  },
  { category: 'hosting platform', headers: { 'x-powered-by': 'WP Engine', 'x-cacheable': 'SHORT' }, shows: { 'WP Engine': null } },
  {
    category: 'analytics',
    headers: { 'set-cookie': '_ga=GA1.1.1; path=/' },
    head: "<script async src=\"https://www.googletagmanager.com/gtag/js?id=G-ABC123\"></script><script>gtag('config', 'G-ABC123');</script>",
    body: '<script>var _paq = window._paq = []; _paq.push(["trackPageView"]);</script><script defer data-domain="a.test" src="https://plausible.io/js/script.js"></script><script src="https://static.hotjar.com/c/hotjar-1.js"></script>',
    shows: { 'Google Analytics': null, Matomo: null, Plausible: null, Hotjar: null },
  },
  {
    category: 'tag manager',
    head: "<script>(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});j.src='https://www.googletagmanager.com/gtm.js?id='+i;})</script>",
    body: '<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=GTM-ABC"></iframe></noscript><script src="https://tags.tiqcdn.com/utag/acme/main/prod/utag.js"></script>',
    shows: { 'Google Tag Manager': null, 'Tealium iQ': null },
  },
  {
    category: 'advertising',
    body:
      '<script>fbq(\'init\', \'123\');</script><img src="https://www.facebook.com/tr?id=123&amp;ev=PageView"><script>_linkedin_partner_id = "1";</script>' +
      '<ins class="adsbygoogle"></ins><script src="https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js?client=ca-pub-1"></script>',
    shows: { 'Meta Pixel': null, 'LinkedIn Insight Tag': null, 'Google AdSense': null },
  },
  {
    category: 'marketing',
    body: '<script src="//js.hs-scripts.com/123.js"></script><script src="https://static.klaviyo.com/onsite/js/klaviyo.js?company_id=A"></script><div id="mc_embed_signup"></div><form action="https://acme.us1.list-manage.com/subscribe/post"></form>',
    shows: { HubSpot: null, Klaviyo: null, Mailchimp: null },
  },
  {
    category: 'cookie consent',
    head: '<script id="Cookiebot" src="https://consent.cookiebot.com/uc.js" data-cbid="1"></script><script src="https://cdn.cookielaw.org/scripttemplates/otSDKStub.js"></script>',
    shows: { Cookiebot: null, OneTrust: null },
  },
  {
    category: 'a/b testing',
    headers: { 'set-cookie': '_vwo_uuid_v2=1; path=/' },
    head: '<script src="https://cdn.optimizely.com/js/123.js"></script><script src="https://dev.visualwebsiteoptimizer.com/j.php"></script>',
    shows: { Optimizely: null, VWO: null },
  },
  {
    category: 'error tracking',
    head: '<script src="https://browser.sentry-cdn.com/7.92.0/bundle.min.js"></script><script>Sentry.init({dsn:"https://a@o1.ingest.sentry.io/1"});</script><script>window.NREUM||(NREUM={});NREUM.info={}</script>',
    shows: { Sentry: '7.92.0', 'New Relic': null },
  },
]
