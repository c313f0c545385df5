import { expect } from 'chai'
import { parse } from 'tldts'
import technologies from '../../work/technologies.js'
import type { TechnologyRule } from './rule.js'
import { RULES } from './rules/index.js'

const ALL = RULES.flatMap(({ rules }) => rules)
const encoder = new TextEncoder()

interface Page {
  readonly headers?: Readonly<Record<string, string>>
  readonly html?: string
  readonly url?: string
}

const namesOf = ({ headers = {}, html = '', url = 'https://a.test/' }: Page): string[] =>
  technologies({ url, headers, html: encoder.encode(html), aliases: [] }).map(({ name }) => name)

/** The smallest page with a sign. */
function pageWith(kind: string, sign: string): Page {
  const text = sign.replace('{version}', '1.2.3')
  const colon = text.indexOf(': ')
  switch (kind) {
    case 'header':
      return { headers: colon === -1 ? { [text]: '1' } : { [text.slice(0, colon)]: text.slice(colon + 2) } }
    case 'cookie':
      return { headers: { 'set-cookie': `a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, ${text.replace('*', 'x')}=2; Path=/` } }
    case 'generator':
      return { html: `<meta name="generator" content="${text.replaceAll('"', '&quot;')}">` }
    case 'url':
      return {
        html: `<script src="https://${/^[/_@+]|=|^(?:catalog|typesense|statsig|mcaptcha)/.test(text) ? 'a.test' : 'files.test'}${text.startsWith('/') ? '' : '/'}${text.replaceAll('"', '&quot;')}"></script>`,
      }
    case 'html':
      return { html: `<body><!-- ${text} --></body>` }
    case 'global':
      return { html: `<script>${text}</script>` }
    case 'script-url':
      return { html: `<script>s.src="https://${text.replace(/^\./, 'acme.')}"</script>` }
    default:
      return { url: `https://${text}/` }
  }
}

function signsOf(rule: TechnologyRule): readonly (readonly [string, string])[] {
  const of = (kind: string, list: readonly string[] = []) => list.map((sign) => [kind, sign] as const)
  return [
    ...of('header', rule.headers),
    ...of('cookie', rule.cookies),
    ...of('generator', rule.generator),
    ...of('url', rule.urls),
    ...of('html', rule.html),
    ...of('script-url', rule.scriptUrls),
    ...of('global', rule.globals),
    ...of('host', rule.hosts),
    ...(rule.weak ?? []).map((sign) => [sign.slice(0, sign.indexOf(':')), sign.slice(sign.indexOf(':') + 1).trim()] as const),
  ]
}

describe('sites: rules of technologies', () => {
  it('there are 150 at least, each named once, with the documentation it rests on', () => {
    expect(ALL.length).to.be.at.least(150)
    expect(new Set(ALL.map(({ name }) => name)).size).to.equal(ALL.length)
    for (const { name, docs } of ALL) expect(docs.length, name).to.be.greaterThan(8)
  })

  it('imply products that have rules', () => {
    const names = new Set(ALL.map(({ name }) => name))
    expect(ALL.flatMap(({ implies = [] }) => implies).filter((name) => !names.has(name))).to.deep.equal([])
  })

  it('have signs in lower case that no common word contains', () => {
    for (const rule of ALL)
      for (const [kind, sign] of signsOf(rule)) {
        expect(sign, rule.name).to.equal(sign.toLowerCase())
        expect(sign.replace('{version}', '').length, `${rule.name} ${sign}`).to.be.at.least(kind === 'cookie' ? 3 : 4)
      }
  })

  it('find their product by each of their signs alone', () => {
    const lost = ALL.flatMap((rule) =>
      signsOf(rule)
        .filter(([kind, sign]) => !namesOf(pageWith(kind, sign)).includes(rule.name))
        .map(([kind, sign]) => `${rule.name}: ${kind} ${sign}`),
    )
    expect(lost).to.deep.equal([])
  })

  it('N6 look for code in the code of scripts, and for hosts and files in their strings', () => {
    /** A host with at least three labels below a public suffix, a path after a host, or a file; two labels may be an object member. */
    const isAddress = (sign: string): boolean =>
      /^[a-z0-9.-]+$/.test(sign) && ((/\w+\.\w+\.\w/.test(sign) && parse(sign).isIcann === true) || /\.(?:com|js|net|php)$/.test(sign))
    const of = (kinds: readonly string[], wrong: (sign: string) => boolean): string[] =>
      ALL.flatMap((rule) => signsOf(rule).flatMap(([kind, sign]) => (kinds.includes(kind) && wrong(sign) ? [`${rule.name}: ${sign}`] : [])))
    expect(of(['global'], (sign) => isAddress(sign) || /^[a-z0-9.-]+\.[a-z]+\//.test(sign) || sign.includes('"'))).to.deep.equal([])
    expect(of(['script-url'], (sign) => !/^[a-z0-9.-]+\.[a-z]+(?:\/[a-z0-9./-]*)?$/.test(sign))).to.deep.equal([])
  })

  it('find nothing in a page without products, also one that writes about them', () => {
    const html =
      '<!doctype html><html lang="en"><head><title>WordPress, Drupal and Shopify compared</title><meta name="description" content="nginx or Apache?">' +
      '<link rel="stylesheet" href="/style.css"><link rel="canonical" href="https://acme.gumroad.com/js/gumroad.js"><script src="/main.js"></script></head><body><h1>React and Vue</h1><p>jQuery, Stripe and Sentry.</p>' +
      '<a href="https://js.stripe.com/v3/">Stripe.js</a> <a href="https://www.youtube.com/embed/x">Film</a><script>start()</script></body></html>'
    expect(namesOf({ html, headers: { 'content-type': 'text/html', server: 'web', 'set-cookie': 'theme=dark' } })).to.deep.equal([])
  })
})

describe('N6 sites: pages that write about products', () => {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  const article = (rule: TechnologyRule): string => {
    const signs = signsOf(rule).map(([, sign]) => sign.replace('{version}', '1.2.3'))
    const quoted = signs.map(escaped)
    const words = signs.filter((sign) => /^[\w$.]+$/.test(sign) && rule.scriptUrls?.some((address) => sign.includes(address)) !== true)
    const paths = (rule.urls ?? []).filter((sign) => sign.startsWith('/') && !sign.startsWith('//'))
    return (
      `<!doctype html><html lang="en"><head><title>${escaped(rule.name)}: ${quoted.join(' ')}</title><meta name="description" content="${quoted.join(', ')}"></head>` +
      `<body><article><h1>${escaped(rule.name)}</h1><h3>${quoted.join('</h3><h3>')}</h3><p title="${quoted.join(' and ')}">${quoted.join(' ')}</p>` +
      `<pre><!-- ${signs.filter((sign) => !sign.includes('--')).join(' ')} --><code>${signs.join(' ').replaceAll('</', '')}</code></pre><textarea>${quoted.join(' ')}</textarea>` +
      `<button data-clipboard-text="copy ${quoted.join(' ')}">Copy</button><img src="https://other.test/a.png" alt="${quoted.join(' ')}">` +
      paths.map((path) => `<img src="https://magazine.example${path.replace('{version}', '1.2.3')}uploads/logo.png">`).join('') +
      quoted.map((each) => `<a href="https://docs.example/${each}">${each}</a>`).join('') +
      `<script>var words = ${JSON.stringify(words)} // ${rule.name.toLowerCase()}\n</script>` +
      `<script type="application/ld+json">${JSON.stringify({ keywords: signs }).replaceAll('</', '')}</script></article></body></html>`
    )
  }
  it(`N6 none of ${String(ALL.length)} products is found in an article that quotes all its signs`, () => {
    const wrong = ALL.flatMap((rule) =>
      namesOf({ html: article(rule), url: 'https://articles.example/' }).map((name) => `${rule.name}: ${name}`),
    )
    expect(wrong).to.deep.equal([])
  })

  it("N6 a picture from another site's folder, and paths in a list in a script, tell nothing of this one", () => {
    const html =
      '<html><head><meta name="generator" content="Framer 1a2b3c"><link rel="preconnect" href="https://framerusercontent.com/"></head><body>' +
      '<img src="https://magazine.example/wp-content/uploads/2024/05/logo.png"><img srcset="https://magazine.example/wp-content/a.png 1x, https://magazine.example/wp-includes/b.png 2x">' +
      '<script src="https://magazine.example/wp-content/plugins/widget/widget.js"></script><iframe src="https://magazine.example/wp-content/x.html"></iframe>' +
      '<script>(function(w){w.dataLayer=w.dataLayer||[];var paths=["/wp-content","/wp-includes","/cart"];})(window)</script></body></html>'
    expect(namesOf({ html, headers: { server: 'Framer/1a2b3c' }, url: 'https://wpimg-shop.test/' })).to.deep.equal(['Framer', 'React'])
  })

  it('N6 an article about markup tells its server alone', () => {
    const html =
      '<article><p>Block requests to <code>/wp-json/</code>, and look for <code>data-elementor-type=</code> or <code>data-wf-page=</code>.</p>' +
      '<p>Drupal puts <code>data-drupal-selector=</code> on form elements. Sites made with Carrd say so: site made with carrd.</p>' +
      '<pre>grep -r "performance optimized by wp rocket" .</pre></article>'
    expect(namesOf({ html, headers: { server: 'nginx/1.24.0 (Ubuntu)' } })).to.deep.equal(['nginx'])
  })

  it('N6 what a site is made of is still found: own folders, own delivery hosts, banners, attributes in any quotes, members in brackets', () => {
    const shows = (html: string, url = 'https://www.acme-shop.test/') => namesOf({ html, url })
    const wordpress = ['PHP', 'WordPress']
    expect(shows('<img src="/wp-content/a.png">')).to.deep.equal(wordpress)
    expect(shows('<img srcset="/a.png 1x, https://img.acme-shop.test/wp-content/b.png 2x">')).to.deep.equal(wordpress)
    expect(shows('<img src="https://acme-shop.b-cdn.net/wp-content/b.png">')).to.include('WordPress')
    expect(shows('<script src="https://d111111abcdef8.cloudfront.net/wp-content/themes/a.js"></script>')).to.include('WordPress')
    expect(shows('<link rel="alternate" href="https://acme-shop.test/wp-json/oembed/1.0/embed">')).to.deep.equal(wordpress)
    expect(shows('<!-- Performance optimized by WP Rocket -->')).to.include('WP Rocket')
    expect(shows("<body><div data-elementor-type='wp-page'></div>")).to.include('Elementor')
    expect(shows("<script>window['_fs_namespace']='FS'</script>")).to.deep.equal(['FullStory'])
    expect(shows('<script src="https://files.example/react@18.2.0/x.js"></script>')).to.deep.equal(['React'])
    expect(shows("<script>var d=document;d.s=['https://cdn.segment.com/analytics.js/v1/x.js']</script>")).to.include('Segment')
    expect(
      shows('<script>document.write("<script src=\'https://cdn.segment.com/analytics.js/v1/x.js\' async><\\/script>")</script>'),
    ).to.include('Segment')
    expect(
      shows(
        '<script>document.write(unescape("%3Cscript src=\'https://cdn.segment.com/analytics.js/v1/x.js\' async%3E%3C/script%3E"))</script>',
      ),
    ).to.include('Segment')
    expect(shows('<body><hr class="line" /><h3>Apache Tomcat/9.0.80</h3></body>')).to.include('Apache Tomcat')
    expect(shows(`<div id="app" data-page='{"component":"Home","props":{"a":"b c"}}'></div>`)).to.include('Inertia.js')
  })

  it('N6 an address that a script loads or sends to tells a product, one in a comment or a sentence does not; quotes may be single or double', () => {
    for (const [product, address] of [
      ['Crisp', '"https://client.crisp.chat/l.js"'],
      ['Tawk.to', "'https://embed.tawk.to/5f0000/default'"],
      ['Microsoft Clarity', '"https://www.clarity.ms/eus/s/0.7.1/clarity.js"'],
      ['Hotjar', '`https://static.hotjar.com/c/hotjar-${id}.js`'],
      ['Piwik PRO', "'//acme.containers.piwik.pro/'+id+'.js'"],
      ['Matomo', 'u+"matomo.php"'],
      ['Sentry', '"https://abc@o1.ingest.sentry.io/1"'],
    ]) {
      expect(namesOf({ html: `<script>var s=document.createElement("script");s.src=${address}</script>` })).to.include(product)
      expect(namesOf({ html: `<script>say("Loaded from: "); // s.src=${address}</script>` })).to.deep.equal([])
      expect(namesOf({ html: `<script>var words="about "+0+" and ${address?.replaceAll(/["'`]/g, ' ')}"</script>` })).to.deep.equal([])
    }
    expect(namesOf({ html: '<script>gtag("config", "G-ABC");fbq("init","1");Stripe("pk_live_1")</script>' })).to.have.members([
      'Google Analytics',
      'Meta Pixel',
      'Stripe',
    ])
  })
})

describe('sites: how technologies are recognised', () => {
  const found = (page: Page) =>
    technologies({ url: page.url ?? 'https://a.test/', headers: page.headers ?? {}, html: encoder.encode(page.html ?? ''), aliases: [] })

  it('high for a product that names itself or shows two kinds of sign, medium for one, low for a shared one', () => {
    const confidence = (html: string) => Object.fromEntries(found({ html }).map((each) => [each.name, each.confidence]))
    expect(confidence('<meta name="generator" content="Hugo 0.121.1">')).to.deep.equal({ Hugo: 'high' })
    expect(confidence('<script src="https://js.stripe.com/v3/"></script>')).to.deep.equal({ Stripe: 'medium' })
    expect(confidence("<script src='https://js.stripe.com/v3/'></script><script>Stripe('pk_live_1')</script>")).to.deep.equal({
      Stripe: 'high',
    })
    expect(confidence('<div class="sm:flex">')).to.deep.equal({ 'Tailwind CSS': 'low' })
  })

  it('versions are read where a sign has one', () => {
    const version = (page: Page) => found(page)[0]?.version
    expect(version({ headers: { server: 'nginx/1.25.3 (Ubuntu)' } })).to.equal('1.25.3')
    expect(version({ headers: { server: 'nginx' } })).to.equal(null)
    expect(version({ html: '<script src="/js/jquery-3.7.1.min.js"></script>' })).to.equal('3.7.1')
    expect(version({ html: '<script src="/js/jquery-3.7.1.slim.min.js"></script>' })).to.equal('3.7.1')
    expect(version({ html: '<meta name="generator" content="Docusaurus v3.0.0-rc.1">' })).to.equal('3.0.0-rc.1')
    expect(version({ html: '<script src="https://d3js.org/d3.v7.min.js"></script>' })).to.equal('7')
    expect(version({ html: '<app-root ng-version="17.0.8"></app-root>' })).to.equal('17.0.8')
  })

  it('a product whose name is part of another is not taken for it', () => {
    expect(namesOf({ headers: { server: 'Apache-Coyote/1.1' } })).to.deep.equal(['Apache Tomcat', 'Java'])
    expect(namesOf({ headers: { server: 'Apache (Debian)' } })).to.deep.equal(['Apache HTTP Server'])
  })

  it('what a product is made with is there too, once', () => {
    const all = found({ html: '<meta name="generator" content="WooCommerce 8.4.0"><meta name="generator" content="WordPress 6.4.2">' })
    expect(all.map(({ name, version, evidence }) => [name, version, evidence])).to.deep.equal([
      ['PHP', null, ['implied by WordPress']],
      ['WooCommerce', '8.4.0', ['generator woocommerce 8.4.0']],
      ['WordPress', '6.4.2', ['generator wordpress 6.4.2']],
    ])
  })

  it('pages made to be slow are read in time that grows with their length', () => {
    const size = 256 * 1024
    for (const piece of [
      '<',
      '<script',
      '<script>/jquery-',
      '"',
      'ng-version="',
      '<!--',
      '<meta name=generator content=hugo',
      '&amp',
      '/jquery@',
      '1.',
    ])
      expect(found({ html: piece.repeat(Math.floor(size / piece.length)) })).to.be.an('array')
  })
})
