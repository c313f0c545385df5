/** An article about products, on a site that uses none of them. */
export interface Article {
  readonly about: string
  /** A code sample as shown on pages: as text, escaped. */
  readonly url: string
  readonly head?: string
  readonly body: string
}

/** With a class for each word, as written by syntax highlighters. */
const shown = (code: string): string => code.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const pre = (code: string): string => `<pre><code class="language-html">${shown(code)}</code></pre>`
/** With a class for each word, as highlighters write it. */
const coloured = (code: string): string =>
  `<div class="highlight"><pre class="chroma">${code
    .split(/(?<=[\s=>;(])/)
    .map((word) => `<span class="nt">${shown(word)}</span>`)
    .join('')}</pre></div>`

/** Twenty short articles with code samples, each about several products. */
export const ARTICLES: readonly Article[] = [
  {
    about: 'a move from WordPress with WP Rocket to Hugo',
    url: 'https://notes.example/move-to-hugo',
    body:
      '<h1>Leaving WordPress</h1><p>Our theme lived in <code>/wp-content/themes/</code>, and WP Rocket left a line at the end of each page:</p>' +
      pre("<!-- This website is like a Rocket, isn't it? Performance optimized by WP Rocket. -->") +
      '<p>Hugo writes this instead:</p>' +
      pre('<meta name="generator" content="Hugo 0.121.1">'),
  },
  {
    about: 'Next.js beside Nuxt and SvelteKit',
    url: 'https://frontend.example/next-nuxt-sveltekit',
    head: '<meta name="description" content="id=&quot;__next&quot;, window.__NUXT__ and data-sveltekit-preload-data side by side">',
    body:
      '<h1>Three ways to hydrate</h1>' +
      coloured('<div id="__next"><div id="__nuxt">') +
      '<p>Nuxt puts <code>window.__NUXT__={}</code> into a script, Next.js <code>self.__next_f.push([0])</code>.</p>' +
      `<button data-clipboard-text="${shown('<body data-sveltekit-preload-data=hover>').replaceAll('"', '&quot;')}">Copy</button>`,
  },
  {
    about: 'payment with Stripe, PayPal and Klarna',
    url: 'https://pay.example/compare',
    body:
      '<h1>Which checkout?</h1><table><tr><th>Stripe</th><td>' +
      pre('<script src="https://js.stripe.com/v3/"></script>\n<script>const stripe = Stripe(\'pk_test_1\')</script>') +
      '</td></tr><tr><th>PayPal</th><td><code>paypal.Buttons({}).render(&#39;#b&#39;)</code></td></tr><tr><th>Klarna</th><td>' +
      '<samp>&lt;klarna-placement data-key="x"&gt;&lt;/klarna-placement&gt;</samp></td></tr></table>' +
      '<a href="https://js.stripe.com/v3/">Stripe.js</a> <a href="https://www.paypal.com/sdk/js?client-id=1">the SDK</a>',
  },
  {
    about: 'Google Analytics, Matomo and Plausible, with an index for the search of the site in a script',
    url: 'https://measure.example/analytics',
    body:
      '<h1>Counting visits</h1><p>Three snippets, three kinds of data.</p>' +
      "<script>window.pages = [{title: \"Analytics\", text: \"Paste gtag('config', 'G-1') or _paq.push(['trackPageView']) before the end of the head. " +
      'The script of Plausible is https://plausible.io/js/script.js and sets no cookie."}]</script>',
  },
  {
    about: 'tag managers, with the text of the page once more as the state of its program',
    url: 'https://measure.example/tag-managers',
    body:
      '<h1>Tag managers</h1>' +
      pre("(function(w,d,s,l,i){w[l].push({'gtm.start': new Date()});j.src='https://www.googletagmanager.com/gtm.js?id='+i})") +
      '<script>var state = {"article": {"html": "<p>Tealium loads tags.tiqcdn.com/utag/acme/main/prod/utag.js and reads utag_data.</p>' +
      "<pre>j.src='https://www.googletagmanager.com/gtm.js?id='+i</pre>\"}}</script>",
  },
  {
    about: 'htmx, Alpine.js and Livewire',
    url: 'https://backend.example/less-javascript',
    body:
      '<h1>HTML over the wire</h1>' +
      coloured('<button hx-get="/more" hx-swap="outerHTML">More</button>\n<div x-data="{ open: false }" @click="open = true">') +
      '<p>Livewire marks its parts with <kbd>wire:id=</kbd> and <kbd>wire:snapshot=</kbd>.</p>',
  },
  {
    about: 'error tracking with Sentry, Bugsnag and Rollbar, with code in a template string',
    url: 'https://ops.example/errors',
    body:
      '<h1>Catching errors</h1>' +
      "<script>const samples = [`import * as Sentry from 'x'\nSentry.init({ dsn: 'https://a@o1.ingest.sentry.io/1' })`, " +
      "`Bugsnag.start({ apiKey: 'x' })\n// or\nRollbar.init({ accessToken: 'x' })`]; show(samples)</script>",
  },
  {
    about: 'consent banners',
    url: 'https://law.example/consent',
    body:
      '<h1>Banners</h1><ul><li>Cookiebot: <code>&lt;script id="Cookiebot" src="https://consent.cookiebot.com/uc.js"&gt;</code></li>' +
      '<li>OneTrust: <code>function OptanonWrapper() {}</code></li><li>Complianz: <code>var complianz = {}</code></li></ul>' +
      '<img src="https://files.example/pictures/cookiebot-onetrust.png" alt="https://cdn.cookielaw.org/scripttemplates/otSDKStub.js">',
  },
  {
    about: 'captchas, in an editor that readers can change',
    url: 'https://forms.example/captchas',
    body:
      '<h1>Against robots</h1><textarea rows="4">&lt;div class="g-recaptcha" data-sitekey="x"&gt;&lt;/div&gt;\n' +
      '&lt;div class="h-captcha"&gt;&lt;/div&gt;\n&lt;div class="cf-turnstile"&gt;&lt;/div&gt;</textarea>' +
      '<p>The scripts are <q>https://www.google.com/recaptcha/api.js</q> and <q>https://challenges.cloudflare.com/turnstile/v0/api.js</q>.</p>',
  },
  {
    about: 'web servers and what they say of themselves',
    url: 'https://ops.example/servers',
    head: '<title>Server: nginx/1.25.3, Apache/2.4.58 and Microsoft-IIS/10.0</title>',
    body:
      '<h1>Server headers</h1><pre>HTTP/1.1 200 OK\nServer: nginx/1.25.3 (Ubuntu)\nX-Powered-By: PHP/8.2.14\nSet-Cookie: PHPSESSID=1</pre>' +
      '<p>Tomcat ends its pages of errors so:</p><pre>&lt;hr class="line"&gt;&lt;h3&gt;Apache Tomcat/9.0.80&lt;/h3&gt;</pre><h3>Apache Tomcat/9.0.80</h3><p>It can be told not to.</p>',
  },
  {
    about: 'Shopify and WooCommerce, with data of the page as JSON',
    url: 'https://trade.example/shops',
    body:
      '<h1>Shops</h1>' +
      pre('<script>Shopify.theme = {"name":"Dawn"}</script>') +
      '<script type="application/json" id="article">{"text":"Shopify.theme woocommerce_cart_hash /wp-content/plugins/woocommerce/assets/css/woocommerce.css"}</script>' +
      '<script type="application/ld+json">{"keywords":["Shopify.theme","https://cdn.shopify.com/s/files/1/a.js"]}</script>',
  },
  {
    about: 'Drupal, Joomla and TYPO3',
    url: 'https://notes.example/three-systems',
    body:
      '<h1>Three systems</h1><p>Drupal: <code>data-drupal-selector=</code> and <code>/sites/default/files/</code>. TYPO3: ' +
      '<code>&lt;!-- This website is powered by TYPO3 - inspiring people to share! --&gt;</code>. Joomla: <code>&lt;meta name="generator" content="Joomla! - Open Source Content Management"&gt;</code></p>' +
      '<img src="https://other-magazine.example/sites/default/files/2024-01/a.jpg" alt="Drupal"><img src="https://elsewhere.example/typo3temp/assets/b.png" alt="TYPO3">',
  },
  {
    about: 'Webflow, Framer and Wix',
    url: 'https://design.example/builders',
    body:
      '<h1>Builders</h1>' +
      coloured('<html data-wf-page="65a" data-wf-site="65b">\n<div data-framer-name="Hero" data-framer-component-type="Text">') +
      '<p>Wix serves pictures from <code>static.wixstatic.com</code>.</p><a href="https://static.wixstatic.com/media/a.png">A sample</a>',
  },
  {
    about: 'chat windows, with comments in a script',
    url: 'https://support.example/chat',
    body:
      '<h1>Chat</h1>' +
      pre('<script>window.intercomSettings = {app_id: "abc"}; $crisp=[];CRISP_WEBSITE_ID="1"</script>') +
      '<script>\n// The article names window.intercomSettings, https://client.crisp.chat/l.js and id="ze-snippet".\n/* fcWidget.init({}) and HubSpotConversations.widget too. */\nstart()\n</script>',
  },
  {
    about: 'Bootstrap, Tailwind CSS and Material UI',
    url: 'https://design.example/styles',
    body:
      '<h1>Styles</h1>' +
      pre('<button data-bs-toggle="modal" data-bs-target="#a" class="MuiButton-root MuiButton-text">') +
      '<p>Load <code>https://cdn.jsdelivr.net/npm/bootstrap@5.3.2/dist/css/bootstrap.min.css</code> or write <code>sm:flex</code>.</p>' +
      '<link rel="canonical" href="https://design.example/bootstrap@5.3.2/styles">',
  },
  {
    about: 'video players, shown in a frame of its own text',
    url: 'https://media.example/players',
    body:
      '<h1>Players</h1><iframe srcdoc="&lt;video class=&quot;video-js&quot;&gt;&lt;/video&gt;&lt;script src=&quot;https://fast.wistia.com/embed/medias/a.jsonp&quot;&gt;&lt;/script&gt;"></iframe>' +
      '<p>Mux has <code>&lt;mux-player&gt;</code>, Wistia <code>&lt;wistia-player&gt;</code>.</p><a href="https://www.youtube.com/embed/x">A film</a>',
  },
  {
    about: 'advertising, with the address of each tag in a list',
    url: 'https://trade.example/pixels',
    body:
      '<h1>Pixels</h1><dl><dt>Meta</dt><dd>' +
      pre("fbq('init', '123')\nfbq('track', 'PageView')") +
      '</dd><dt>LinkedIn</dt><dd><code>_linkedin_partner_id = "1"</code></dd><dt>AdSense</dt><dd><code>(adsbygoogle = window.adsbygoogle || []).push({})</code></dd></dl>' +
      '<ul><li>https://www.facebook.com/tr?id=123</li><li>https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js</li></ul>',
  },
  {
    about: 'Angular and React, in code that a program colours later',
    url: 'https://frontend.example/angular-react',
    body:
      '<h1>Angular and React</h1><xmp><app-root ng-version="17.0.8"></app-root><div data-reactroot=""></div></xmp>' +
      '<script type="text/x-handlebars">{{#if x}}<div ng-app="a" data-reactroot></div>{{/if}}</script>' +
      '<script type="text/template"><div ng-controller="b" id="__next"></div></script>',
  },
  {
    about: 'search and maps, with a list of words to look for',
    url: 'https://places.example/search-and-maps',
    body:
      '<h1>Search and maps</h1><p>Algolia: <code>algoliasearch(&#39;id&#39;, &#39;key&#39;)</code>. Mapbox: <code>mapboxgl.accessToken = &#39;x&#39;</code>.</p>' +
      '<script>const words = ["algoliasearch(", "docsearch(", "mapboxgl.accesstoken", "window.craft ="]; mark(words)</script>',
  },
  {
    about: 'mail and marketing, with a letter quoted in the page',
    url: 'https://letters.example/tools',
    body:
      '<h1>Letters</h1><blockquote><p>Put &lt;div id="mc_embed_signup"&gt; where the form belongs, then hbspt.forms.create({}) below it.</p></blockquote>' +
      '<script>const quote = "<blockquote>Klaviyo: <div class=\\"klaviyo-form-x\\"></div> and https://static.klaviyo.com/onsite/js/klaviyo.js?company_id=A</blockquote>"</script>' +
      '<p title="window.hsConversationsSettings, https://js.hs-scripts.com/123.js">HubSpot</p>',
  },
]
