import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readability } from '@mozilla/readability'
import { expect } from 'chai'
import { Cancel } from '../../core/runtime/cancel.js'
import { systemClock } from '../../core/runtime/clock.js'
import { createWorkers } from '../../core/exec/workers.js'
import { packageRoot } from '../../core/runtime/root.js'
import { Fault } from '../../core/sdk/index.js'
import { atMost } from '../../test/support/time.js'
import { moreCommasThan } from './work/commas.js'
import extract, { type Extracted, type ExtractInput } from './work/extract.js'

const GOLDEN = join(packageRoot(), 'plugins/scrape/golden')
const URL_OF = 'https://a.example/dir/page'

function read(html: string, more: Partial<ExtractInput> = {}): Extracted {
  const output = extract({ html, url: URL_OF, output: 'markdown', selector: null, ...more })
  if ('limit' in output) throw new Error(output.limit)
  return output
}

describe('scrape: pages as Markdown', () => {
  const pages = readdirSync(GOLDEN).filter((name) => name.endsWith('.page'))
  it('has a golden page of each sort', () => expect(pages.length).to.be.at.least(12))
  for (const page of pages) {
    it(`reads ${page} as its golden file says`, () => {
      const { title, description, lang, links, content } = read(readFileSync(join(GOLDEN, page), 'utf8'))
      const head = [
        `title: ${title ?? 'null'}`,
        `description: ${description ?? 'null'}`,
        `lang: ${lang ?? 'null'}`,
        `links: ${links.length}`,
      ]
      expect(`${head.join('\n')}\n\n${content}\n`).to.equal(readFileSync(join(GOLDEN, page.replace('.page', '.md')), 'utf8'))
    })
  }
})

describe('scrape: long texts', () => {
  for (const unit of ['words and ', '7 ', '12. ', '- ', '+ ', '# ', '= ', '~~~ ', '漢字 ', '😀 ', '- \u00a0', 'no-space-but-dashes-']) {
    it(`are read as short ones are: ${JSON.stringify(unit)}`, () => {
      const text = unit.repeat(Math.ceil(200_000 / unit.length))
      expect(read(`<p>start ${text} end</p>`).content).to.equal(`start ${text} end`.replace(/[ ]+/g, ' '))
    })
  }

  it('escape marks at their beginning, and only there', () => {
    expect(read(`<p>${'- *'.repeat(70_000)}</p>`).content).to.equal(`\\${'- \\*'.repeat(70_000)}`)
    expect(read(`<p>${'1. '.repeat(70_000)}</p>`).content).to.equal(`1\\. ${'1. '.repeat(70_000).slice(3, -1)}`)
  })

  it('stay as they are where lines count', () => {
    const code = 'a  b\n\n\n1. c\n'.repeat(10_000).trim()
    expect(read(`<pre>${code}</pre>`).content).to.equal(`\`\`\`\n${code.replace(/\n{3,}/g, '\n\n')}\n\`\`\``)
  })
})

describe('scrape: XHTML', () => {
  const part = '<p>Before <![CDATA[<b>cdata</b> & more]]> after.</p>'
  it('F17 a CDATA section is text where the document is XML, and a comment where it is HTML', () => {
    const head = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>'
    expect(read(`<?xml version="1.0"?>${head}${part}</body></html>`).content).to.equal('Before <b\\>cdata</b\\> & more after.')
    expect(read(`\ufeff<?xml version="1.0" encoding="utf-8"?>${head}<p><![CDATA[1 < 2]]></p></body></html>`).content).to.equal('1 < 2')
    expect(read(`${head}${part}</body></html>`).content)
      .to.match(/^Before .*after\.$/)
      .and.not.match(/Before <b>/)
  })
})

describe('scrape: commas', () => {
  it('are those by which Readability scores a paragraph', () => {
    const patterns: unknown = Reflect.get(Readability.prototype, 'REGEXPS')
    const own: unknown = typeof patterns === 'object' && patterns !== null ? Reflect.get(patterns, 'commas') : undefined
    if (!(own instanceof RegExp)) throw new Error('Readability has no pattern of that name')
    const every = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join('')
    for (const text of ['', ',', ',,a，b،', every, every.repeat(2)]) {
      const commas = text.split(own).length - 1
      expect([moreCommasThan(commas - 1, text), moreCommasThan(commas, text)]).to.deep.equal([commas > 0, false])
    }
  })

  it('in great number are data: the page is read whole, without a choice of what its article is', () => {
    const page = (count: number) => `<main><div class="extra"><p>aside</p></div><p>${'1, '.repeat(count)}</p></main>`
    expect([page(1000), page(210_000)].map((html) => read(html).content.includes('aside'))).to.deep.equal([false, true])
  })
})

describe('scrape: long code', () => {
  const backticks = '`a'.repeat(150_000)

  it('has a fence longer than any of its backticks, however many runs of them it has', () => {
    expect(read(`<p>x</p><pre>${backticks}\n\`\`\`\`</pre>`).content).to.equal(`x\n\n\`\`\`\`\`\n${backticks}\n\`\`\`\`\n\`\`\`\`\``)
    expect(read(`<p>x <kbd>${backticks}</kbd></p>`).content).to.equal(`x \`\` ${backticks} \`\``)
  })

  it('is one line between backticks, whatever separates its words', () => {
    expect(read(`<p>x <kbd>${'ab \n\t'.repeat(40_000)}</kbd></p>`).content).to.equal(`x \`${'ab '.repeat(40_000).trimEnd()}\``)
  })
})

describe('scrape: pages as HTML', () => {
  it('keeps nothing that runs, styles or tracks', () => {
    const html = `<main onclick="x()"><h1 style="color:red" class="c">T</h1><p onmouseover=alert(1)>Text <a href="java\nscript:alert(1)" onclick=x>a</a> <a href="vbscript:x">b</a> <a href="data:text/html,x">c</a>
      <img src=x onerror=alert(1)><svg onload=alert(1)><script>1</script></svg><iframe src=/f></iframe><style>p{}</style><script>2</script><form action=/x><input name=a></form><object data=x></object><math><mi xlink:href="javascript:x">m</mi></math></p>
      <noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript><template><script>3</script></template></main>`
    const { content } = read(html, { output: 'html' })
    expect(content).to.contain('<h1>T</h1>')
    expect(content).not.to.match(/<script|<style|<svg|<iframe|<object|<form|<input|\son\w+=|style=|class=|javascript:|vbscript:|data:/i)
  })

  it('escapes text and attributes anew', () => {
    const { content } = read(
      '<p title="&quot;><script>1</script>">a &lt;script&gt; b &amp;amp; <img alt="&quot; onerror=x" src="/i.png"></p>',
      { output: 'html' },
    )
    expect(content).to.contain('&lt;script&gt;')
    expect(content).not.to.match(/<script|" onerror/)
  })
})

describe('scrape: facts of a page', function () {
  this.timeout(15_000)
  it('takes the title from title, og:, JSON-LD and the first heading, in this order', () => {
    const og = '<meta property="og:title" content="Og">'
    const ld = '<script type="application/ld+json">{"headline":"Ld"}</script>'
    expect(read(`<title> A  title </title>${og}${ld}<h1>H</h1>`).title).to.equal('A title')
    expect(read(`${og}${ld}<h1>H</h1>`).title).to.equal('Og')
    expect(read(`${ld}<h1>H</h1>`).title).to.equal('Ld')
    expect(read('<svg><title>icon</title></svg><h1>H</h1>').title).to.equal('H')
    expect(read('<p>x</p>').title).to.equal(null)
  })

  it('lists http and https links alone, absolute, each once, at most 5,000', () => {
    const many = Array.from({ length: 6000 }, (_, at) => `<a href="/l${at}">x</a>`).join('')
    const { links } = read(
      `<a href="b">1</a><a href="./b">2</a><a href="ftp://x.example/">3</a><a href="javascript:1">4</a><a href="#f">5</a><a href="https://u:p@x.example/">6</a>${many}`,
    )
    expect(links.slice(0, 2)).to.deep.equal(['https://a.example/dir/b', 'https://a.example/l0'])
    expect(links).to.have.length(5000)
  })

  it('finds a selector in the markup as delivered, and tells a wrong one', () => {
    const page = '<div data-x="1"><p class="late">x</p></div>'
    expect(read(page, { selector: '[data-x] > .late' }).matched).to.equal(true)
    expect(read(page, { selector: '.none' }).matched).to.equal(false)
    expect(read(page, { selector: '##' }).badSelector).to.equal(true)
  })
})

describe('scrape: hostile pages (T-32)', function () {
  this.timeout(60_000)
  const workers = createWorkers({ clock: systemClock, size: 1 })
  after(() => workers.close())

  async function outcome(html: string): Promise<{ ms: number; said: string }> {
    const started = performance.now()
    const input: ExtractInput = { html, url: URL_OF, output: 'markdown', selector: null }
    const cancel = new Cancel(systemClock, systemClock.monotonic() + 30_000)
    try {
      const output = await workers.run(new URL('./work/extract.js', import.meta.url), input, { timeoutMs: 10_000, heapMb: 256 }, cancel)
      const limit = typeof output === 'object' && output !== null && 'limit' in output ? String(output.limit) : 'read'
      return { ms: performance.now() - started, said: limit }
    } catch (error) {
      if (!Fault.is(error)) throw error
      return { ms: performance.now() - started, said: `${error.kind}: ${error.message}` }
    }
  }

  const HOSTILE: Readonly<Record<string, [string, RegExp]>> = {
    '100,000 nested elements': ['<div>'.repeat(100_000), /^the page has more than 2000 elements inside each other$/],
    'a page of 50 MB': ['<p>x</p>'.repeat(6_500_000), /^the page is larger than 5000000 characters$/],
    '300,000 elements': ['<i></i>'.repeat(300_000), /^the page has more than 200000 elements/],
    'attributes of a megabyte': [`<p ${'a'.repeat(1_000_000)}="${'b'.repeat(1_000_000)}" class="${' ad'.repeat(500_000)}">x</p>`, /^read$/],
    '100,000 attributes': [`<p ${Array.from({ length: 100_000 }, (_, at) => `a${at}=1`).join(' ')}>x</p>`, /^read$/],
    '2,000 nested elements': [`${'<div>'.repeat(1999)}x`, /^read$/],
    '1,500 nested quotes': [`${'<blockquote>'.repeat(1500)}x`, /^read$/],
    'nested tables': [`${'<table><tr><td>'.repeat(400)}x`, /^(?:read|blocked: the content)/],
    'a table that spans widely': [
      `<table>${'<tr><td colspan=1000 rowspan=60000>x</td><th>y</th></tr>'.repeat(2000)}</table>`,
      /^(?:read|blocked: the content)/,
    ],
    'an endless comment': [`<!--${'-'.repeat(4_000_000)}`, /^read$/],
    'unclosed tags': [`${'<a href="x'.repeat(100_000)}`, /^(?:read|blocked: the content)/],
    'spaces without end': [`<p>${' \n'.repeat(2_000_000)}x</p>`, /^(?:read|blocked: the content)/],
    '60,000 line breaks': [`<p>text ${'<br>'.repeat(60_000)} text</p>`, /^(?:read|blocked: the content)/],
    'a title of stars and brackets': [`<p>${'*_[`\\'.repeat(400_000)}</p>`, /^(?:read|blocked: the content)/],
  }
  for (const [name, [html, expected]] of Object.entries(HOSTILE)) {
    it(`T-32 ${name}: read within the limits or refused by name, and the next page is served`, async function () {
      const { ms, said } = await outcome(html)
      expect(said).to.match(expected)
      await atMost(this, { what: 'the reading', value: ms, limit: 15_000 })
      expect((await outcome('<p>next</p>')).said).to.equal('read')
    })
  }
})
