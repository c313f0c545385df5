import type { TestPage } from './page.js'

/** Products embedded in pages. */
export const EMBEDDING: readonly TestPage[] = [
  {
    category: 'fonts',
    head: '<link rel="preconnect" href="https://fonts.gstatic.com"><link href="https://fonts.googleapis.com/css2?family=Inter&amp;display=swap" rel="stylesheet"><link rel="stylesheet" href="https://use.typekit.net/abc.css"><script src="https://kit.fontawesome.com/abc.js"></script>',
    shows: { 'Google Fonts': null, 'Adobe Fonts': null, 'Font Awesome': null },
  },
  {
    category: 'chat and support',
    body: '<script>window.intercomSettings = {app_id: "abc"};</script><script id="ze-snippet" src="https://static.zdassets.com/ekr/snippet.js?key=1"></script><script>window.CRISP_WEBSITE_ID="1";</script><script src="https://client.crisp.chat/l.js"></script>',
    shows: { Intercom: null, Zendesk: null, Crisp: null },
  },
  {
    category: 'payment',
    body: '<script src="https://js.stripe.com/v3/"></script><script>var stripe = Stripe("pk_live_1");</script><script src="https://www.paypal.com/sdk/js?client-id=1"></script><klarna-placement data-key="a"></klarna-placement>',
    shows: { Stripe: null, PayPal: null, Klarna: null },
  },
  {
    category: 'site search',
    body: '<script src="https://cdn.jsdelivr.net/npm/algoliasearch@4.22.1/dist/algoliasearch-lite.umd.js"></script><div class="gcse-search"></div><script src="https://cse.google.com/cse.js?cx=1"></script>',
    shows: { Algolia: '4.22.1', 'Google Programmable Search': null },
  },
  {
    category: 'video',
    body: '<iframe src="https://www.youtube-nocookie.com/embed/abc"></iframe><iframe src="https://player.vimeo.com/video/1"></iframe><link href="https://vjs.zencdn.net/8.6.1/video-js.css" rel="stylesheet"><video class="video-js"></video>',
    shows: { YouTube: null, Vimeo: null, 'Video.js': '8.6.1' },
  },
  {
    category: 'maps',
    body: '<script src="https://maps.googleapis.com/maps/api/js?key=1"></script><link rel="stylesheet" href="https://unpkg.com/leaflet@1.9.4/dist/leaflet.css"><img src="https://tile.openstreetmap.org/1/1/1.png">',
    shows: { 'Google Maps': null, Leaflet: '1.9.4', OpenStreetMap: null },
  },
  {
    category: 'social and reviews',
    body: '<div id="disqus_thread"></div><script>var disqus_config = function () {};</script><div class="trustpilot-widget"></div><script src="https://platform.twitter.com/widgets.js"></script>',
    shows: { Disqus: null, Trustpilot: null, 'X embeds': null },
  },
  {
    category: 'captcha',
    body: '<div class="g-recaptcha"></div><script src="https://www.google.com/recaptcha/api.js"></script><div class="h-captcha"></div><div class="cf-turnstile"></div><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>',
    shows: { reCAPTCHA: null, hCaptcha: null, 'Cloudflare Turnstile': null },
  },
]
