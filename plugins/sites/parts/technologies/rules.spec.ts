import { expect } from 'chai'
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

/** The smallest page that has a sign. */
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
      return { html: `<script src="https://files.test${text.startsWith('/') ? '' : '/'}${text.replaceAll('"', '&quot;')}"></script>` }
    case 'html':
      return { html: `<body><!-- ${text} --></body>` }
    case 'global':
      return { html: `<script>${text}</script>` }
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

  it('find nothing in a page without products, also one that writes about them', () => {
    const html =
      '<!doctype html><html lang="en"><head><title>WordPress, Drupal and Shopify compared</title><meta name="description" content="nginx or Apache?">' +
      '<link rel="stylesheet" href="/style.css"><link rel="canonical" href="https://acme.gumroad.com/js/gumroad.js"><script src="/main.js"></script></head><body><h1>React and Vue</h1><p>jQuery, Stripe and Sentry.</p>' +
      '<a href="https://js.stripe.com/v3/">Stripe.js</a> <a href="https://www.youtube.com/embed/x">Film</a><script>start()</script></body></html>'
    expect(namesOf({ html, headers: { 'content-type': 'text/html', server: 'web', 'set-cookie': 'theme=dark' } })).to.deep.equal([])
  })
})

describe('sites: how technologies are told', () => {
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
