import type { TestPage } from './page.js'

/** Products that sites are built with. */
export const BUILDING: readonly TestPage[] = [
  {
    category: 'cms',
    headers: { link: '<https://blog.test/wp-json/>; rel="https://api.w.org/"' },
    head: '<meta name="generator" content="WordPress 6.4.2"><link rel="stylesheet" href="https://blog.test/wp-content/themes/acme/style.css?ver=6.4.2">',
    body: '<script src="/wp-includes/js/wp-emoji-release.min.js?ver=6.4.2"></script>',
    shows: { WordPress: '6.4.2' },
  },
  {
    category: 'cms',
    headers: { 'x-generator': 'Drupal 10 (https://www.drupal.org)', 'x-drupal-dynamic-cache': 'HIT' },
    head: '<meta name="Generator" content="Drupal 10 (https://www.drupal.org)">',
    body: '<div data-drupal-selector="drupal-settings-json"></div><img src="/sites/default/files/2024-01/a.jpg">',
    shows: { Drupal: '10' },
  },
  {
    category: 'cms',
    headers: { 'set-cookie': 'fe_typo_user=1; path=/; secure' },
    head: '<!-- This website is powered by TYPO3 - inspiring people to share! --><meta name="generator" content="TYPO3 CMS">',
    shows: { TYPO3: null },
  },
  {
    category: 'cms',
    head: '<meta name="generator" content="MediaWiki 1.41.0"><script>RLCONF={"wgServer":"//wiki.test"};</script>',
    body: '<script async src="/w/load.php?lang=en&amp;modules=startup"></script>',
    shows: { MediaWiki: '1.41.0' },
  },
  {
    category: 'site builder',
    head: '<meta content="Webflow" name="generator"><link href="https://cdn.prod.website-files.com/65/css/acme.webflow.css" rel="stylesheet">',
    body: '<html data-wf-page="65a" data-wf-site="65b"></html>',
    shows: { Webflow: null },
  },
  {
    category: 'site builder',
    headers: { 'x-wix-request-id': '1700000000.1', 'set-cookie': 'svSession=abc; Path=/; Secure' },
    head: '<meta name="generator" content="Wix.com Website Builder"/>',
    body: '<img src="https://static.wixstatic.com/media/a.png">',
    shows: { Wix: null },
  },
  {
    category: 'shop',
    headers: { 'x-shopid': '123', 'powered-by': 'Shopify', 'set-cookie': '_shopify_y=1; path=/' },
    body: '<script src="//shop.test/cdn/shop/t/2/assets/global.js"></script><script>Shopify.theme = {"name":"Dawn"};</script>',
    shows: { Shopify: null },
  },
  {
    category: 'shop',
    headers: { 'set-cookie': 'woocommerce_cart_hash=1; path=/' },
    head: '<meta name="generator" content="WooCommerce 8.4.0"><link href="/wp-content/plugins/woocommerce/assets/css/woocommerce.css" rel="stylesheet">',
    shows: { WooCommerce: '8.4.0' },
  },
  {
    category: 'shop',
    headers: { 'x-magento-tags': 'cat_p' },
    body: '<script type="text/x-magento-init">{"*":{"Magento_PageCache/js/form-key-provider":{}}}</script><script src="/static/version1700000000/frontend/a.js"></script>',
    shows: { Magento: null },
  },
  {
    category: 'static site generator',
    head: '<meta name="generator" content="Hugo 0.121.1"><meta name="generator" content="Docusaurus v3.1.0"><meta name="generator" content="mkdocs-1.5.3, mkdocs-material-9.5.3">',
    body: '<div id="__docusaurus"></div>',
    shows: { Hugo: '0.121.1', Docusaurus: '3.1.0', MkDocs: '1.5.3' },
  },
  {
    category: 'wordpress extension',
    head:
      '<!-- This site is optimized with the Yoast SEO plugin v21.8 - https://yoast.com/wordpress/plugins/seo/ -->' +
      '<meta name="generator" content="Elementor 3.18.3; features: e_dom_optimization"><link rel="stylesheet" href="/wp-content/plugins/contact-form-7/includes/css/styles.css?ver=5.8.5">',
    body: '<div data-elementor-type="wp-page"></div><!-- This website is like a Rocket, isn\'t it? Performance optimized by WP Rocket. -->',
    shows: { 'Yoast SEO': '21.8', Elementor: '3.18.3', 'Contact Form 7': null, 'WP Rocket': null },
  },
  {
    category: 'web framework',
    headers: { 'x-powered-by': 'Next.js' },
    body: '<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"page":"/"}</script><script src="/_next/static/chunks/main.js"></script>',
    shows: { 'Next.js': null },
  },
  {
    category: 'web framework',
    headers: { 'x-runtime': '0.0123', 'x-request-id': '1' },
    head: '<meta name="csrf-param" content="authenticity_token" /><meta name="csrf-token" content="x" />',
    body: '<img src="/rails/active_storage/blobs/redirect/a.png">',
    shows: { 'Ruby on Rails': null },
  },
  {
    category: 'web framework',
    headers: { 'x-aspnet-version': '4.0.30319', 'x-powered-by': 'ASP.NET', 'set-cookie': 'ASP.NET_SessionId=abc; path=/; HttpOnly' },
    body: '<input type="hidden" name="__VIEWSTATE" value="x">',
    shows: { 'ASP.NET': null },
  },
  {
    category: 'web framework',
    headers: { 'set-cookie': 'csrftoken=abc; expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/; SameSite=Lax' },
    body: '<input type="hidden" name="csrfmiddlewaretoken" value="x">',
    shows: { Django: null },
  },
  {
    category: 'javascript library',
    head: '<link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/bootstrap@5.3.2/dist/css/bootstrap.min.css">',
    body:
      '<script src="https://code.jquery.com/jquery-3.7.1.min.js"></script><script src="https://unpkg.com/htmx.org@1.9.10"></script><script src="https://unpkg.com/vue@3.4.15/dist/vue.global.js"></script>' +
      '<script src="/js/gsap/3.12.2/gsap.min.js"></script><button data-bs-toggle="modal" hx-get="/more">More</button><app-root ng-version="17.0.8"></app-root>',
    shows: { Bootstrap: '5.3.2', jQuery: '3.7.1', htmx: '1.9.10', 'Vue.js': '3.4.15', GSAP: '3.12.2', Angular: '17.0.8' },
  },
  { category: 'language', headers: { 'x-powered-by': 'PHP/8.2.14', 'set-cookie': 'PHPSESSID=1; path=/' }, shows: { PHP: '8.2.14' } },
  { category: 'language', headers: { 'set-cookie': 'JSESSIONID=1; Path=/; HttpOnly' }, shows: { Java: null } },
]
