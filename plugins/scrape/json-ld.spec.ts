import { expect } from 'chai'
import { atMost } from '../../test/support/time.js'
import { parseBlock, unreadBlocks } from './work/facts/json-ld.js'
import { lenientJson } from './work/facts/lenient-json.js'
import facts from './work/facts.js'

/** A block found on pages, and its value. */
const BLOCKS: Readonly<Record<string, readonly [string, unknown]>> = {
  'commas too many': ['{"name":"Brass cleat","offers":{"price":"12.50",},}', { name: 'Brass cleat', offers: { price: '12.50' } }],
  'commas too many in a list': ['[{"a":1},,{"a":2},]', [{ a: 1 }, { a: 2 }]],
  'a comma too few': ['{"a":1 "b":[true false]}', { a: 1, b: [true, false] }],
  'a semicolon at the end': ['{"a":1};', { a: 1 }],
  'a semicolon for a comma': ['{"a":1;"b":2}', { a: 1, b: 2 }],
  comments: ['/* by a plugin */ {"a":1, // price\n "u":"https://a.example/*x*/"}', { a: 1, u: 'https://a.example/*x*/' }],
  'marks around it': ['//<![CDATA[\n{"a":1,}\n//]]>', { a: 1 }],
  'entities for quotes': ['{&quot;a&quot;:&quot;x &amp;amp; y&quot;,&#34;b&#x22;:1}', { a: 'x &amp; y', b: 1 }],
  'entities inside of strings, which stay': ['{"a":"&quot;x&quot;",}', { a: '&quot;x&quot;' }],
  'escapes of JavaScript': [String.raw`{"a":"it\'s \x41\v\u0042\q"}`, { a: "it's A\vBq" }],
  'single quotes and names without any': ["{a:'x', 'b':\"it's\", c: undefined}", { a: 'x', b: "it's", c: null }],
  'two values': ['{"a":1}\n{"@type":"Organization"}', [{ a: 1 }, { '@type': 'Organization' }]],
  'a value and one that is cut off': ['{"a":1}{"b":', { a: 1 }],
  'raw control characters': ['{"a":"x\u0001\ty",}', { a: 'x y' }],
  'quotes inside a string': ['{"a":"a "big" one","b":1}', { a: 'a "big" one', b: 1 }],
  'a statement of a script around it': ['window.data = {"a":1};', { a: 1 }],
  'one bracket too many': ['{"a":1}}', { a: 1 }],
  'numbers of JavaScript': ['{"a":+5,"b":.5,"c":5.,"d":1e3}', { a: 5, b: 0.5, c: 5, d: 1000 }],
}

describe('page.facts: JSON-LD with mistakes', () => {
  for (const [name, [block, value]] of Object.entries(BLOCKS)) {
    it(`F16 is read with ${name}`, () => {
      expect(parseBlock(block)).to.deep.equal(value)
    })
  }

  it('F16 gives a product its name and price, whatever the mistake', () => {
    const block =
      '{"@context":"https://schema.org","@type":"Product","name":"Brass cleat","description":"c","offers":{"@type":"Offer","price":"12.50","priceCurrency":"EUR"}}'
    const mistaken = [
      block.replace('"EUR"', '"EUR",').replace(/}$/, ',}'),
      block.replaceAll('"', '&quot;'),
      `${block}\n{"@type":"Organization","name":"X"}`,
      block.replace('"c"', String.raw`"it\'s \x41"`),
    ]
    for (const text of mistaken) {
      const html = `<title>Shop</title><script type="application/ld+json">${text}</script><h1>Shop</h1>`
      const output = facts({ html, url: 'https://a.example/', asked: 'https://a.example/' })
      if ('limit' in output) throw new Error(output.limit)
      expect(output.facts.json_ld[0]).to.deep.include({
        name: 'Brass cleat',
        offers: { '@type': 'Offer', price: '12.50', priceCurrency: 'EUR' },
      })
    }
  })

  it('F16 is counted where it stays unreadable', () => {
    expect(unreadBlocks(['{"a":1}', '{"a":', ' ', 'nothing', '{"a"]'])).to.equal(3)
    const read = (block: string): unknown => {
      const output = facts({
        html: `<script type="application/ld+json">${block}</script>`,
        url: 'https://a.example/',
        asked: 'https://a.example/',
      })
      return 'limit' in output ? output.limit : output.facts.json_ld_unread
    }
    expect([read('{"a":1,}'), read('{"a":')]).to.deep.equal([undefined, 1])
  })

  it('F16 takes a time that grows with the text', async function () {
    for (const unit of ['{"a":', '[', '"', '\\', "'x' ", '/*', '//', '" ', '{"a":1}', '<!--']) {
      const begun = process.cpuUsage()
      lenientJson(unit.repeat(100_000))
      await atMost(this, { what: `ms for ${JSON.stringify(unit)}`, value: process.cpuUsage(begun).user / 1000, limit: 500 })
    }
  })
})
