import { expect } from 'chai'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { definitionList } from '../../config/default.js'
import type { Registry } from '../../core/loader/types.js'
import { CATALOGUE } from '../../core/problems/catalogue.js'
import { packageRoot } from '../../core/runtime/root.js'
import { CAPABILITY_PAGES, generatedPages } from '../../scripts/docs/generated-pages.js'
import { fieldsOf } from '../../scripts/docs/fields.js'
import { withMarked } from '../../scripts/docs/marked.js'
import { rowsOf, source } from '../support/pages.js'
import { shippedRegistry } from '../support/shipped-registry.js'

const plain = (text = ''): string => text.replaceAll('`', '')

describe('pages made from the code', () => {
  let registry: Registry
  before(async () => (registry = await shippedRegistry()))
  after(() => registry?.dispose())

  it('are what `node scripts/generated-pages.mjs` writes, and no page of a capability is left over', () => {
    const fresh = generatedPages(registry, source)
    expect([...fresh].filter(([path, text]) => source(path) !== text).map(([path]) => path)).to.deep.equal([])
    const there = readdirSync(join(packageRoot(), CAPABILITY_PAGES)).map((name) => `${CAPABILITY_PAGES}/${name}`)
    expect(there.filter((path) => !fresh.has(path))).to.deep.equal([])
  })

  it('have a row for every parameter and every field of the result of every capability', () => {
    for (const { capability, input, output } of registry.capabilities.values()) {
      const page = source(`${CAPABILITY_PAGES}/${capability.id}.md`)
      const parameters = rowsOf(page, 'parameter')
      const names = Object.keys(input.schema.properties)
      expect(
        parameters.map((row) => plain(row['parameter'])).filter((name) => !/[.[]/.test(name)),
        capability.id,
      ).to.deep.equal(names)
      const required = parameters.filter((row) => row['default'] === '**required**' && !/[.[]/.test(row['parameter'] ?? ''))
      expect(
        required.map((row) => plain(row['parameter'])),
        capability.id,
      ).to.deep.equal(input.schema.required ?? [])
      const fields = rowsOf(page, 'field').map((row) => plain(row['field']))
      expect(fields, capability.id).to.deep.equal(fieldsOf(output.schema).map(({ name }) => name))
      expect(fields.length, capability.id).to.be.at.least(1)
    }
  })

  it('errors.md has a heading for every error, and configuration.md a row for every setting', () => {
    const headings = [...source('docs/errors.md').matchAll(/^### (.*)$/gm)].map(([, slug]) => slug)
    expect(headings).to.deep.equal(Object.keys(CATALOGUE))
    const settings = rowsOf(source('docs/configuration.md'), 'setting').map(({ setting = '' }) => plain(setting))
    expect(settings).to.deep.equal(definitionList.map(({ name }) => name))
  })
})

describe('a part of a page between marks', () => {
  it('is replaced, and a page without the marks is refused', () => {
    const page = '# x\n<!-- part -->stale text<!-- /part -->\nend'
    const fresh = withMarked(page, 'part', 'new')
    expect(fresh).to.equal('# x\n<!-- part -->\n\nnew\n\n<!-- /part -->\nend')
    expect(withMarked(fresh, 'part', 'new')).to.equal(fresh)
    expect(() => withMarked('# x', 'part', 'new')).to.throw(/marks/)
    expect(() => withMarked('<!-- /part --><!-- part -->', 'part', 'new')).to.throw(/marks/)
  })
})

describe('fields of a schema', () => {
  const row = (schema: object) => {
    const [first] = fieldsOf({ type: 'object', properties: { a: schema }, required: ['a'] })
    return [first?.type, first?.allowed, first?.standard]
  }

  it('have their type, with null last, and lists with what is in them', () => {
    expect(row({ type: ['null', 'string'] })).to.deep.equal(['string or null', '', null])
    expect(row({ type: 'array', items: { type: 'integer' } })[0]).to.equal('list of integers')
    expect(row({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })[0]).to.equal('string or list of strings')
    expect(row({})[0]).to.equal('any value')
  })

  it('have what they allow: values, ranges, lengths, formats', () => {
    expect(row({ type: 'string', enum: ['x', 'y'], default: 'x' }).slice(1)).to.deep.equal(['`x`, `y`', '"x"'])
    expect(row({ type: 'integer', minimum: 1, maximum: 1000 })[1]).to.equal('1 to 1,000')
    expect(row({ type: 'number', minimum: 0.5 })[1]).to.equal('at least 0.5')
    expect(row({ type: 'string', minLength: 1, maxLength: 1 })[1]).to.equal('1 character')
    expect(row({ type: 'string', minLength: 0, maxLength: 8 })[1]).to.equal('at most 8 characters')
    expect(row({ type: 'array', maxItems: 3, items: { type: 'string', enum: ['x'] } })[1]).to.equal('at most 3 items, `x`')
    expect(row({ type: 'string', format: 'uri' })[1]).to.equal('format uri')
  })

  it('come with those within them', () => {
    const inner = { type: 'object', properties: { b: { type: 'string' } } }
    const schema = { type: 'object', properties: { a: { anyOf: [inner, { type: 'null' }] }, list: { type: 'array', items: inner } } }
    expect(fieldsOf(schema).map(({ name }) => name)).to.deep.equal(['a', 'a.b', 'list', 'list[].b'])
    expect(fieldsOf({ type: 'string' })).to.deep.equal([])
  })
})
