import { expect } from 'chai'
import { DatabaseSync } from '@photostructure/sqlite'
import { factsOrNull, storedFacts, storedHeaders, storedRecord, storedTexts } from '../../core/store/stored.js'
import { errorOf } from '../support/unit.js'
import { facts, keyOf, NOON, temporaryStore } from '../support/store.js'

describe('JSON that a store reads back', () => {
  const own = facts({ via: '/v1/agent', aborted: true })
  const again = (value: unknown): string => JSON.stringify(value)

  it('is what was written, with fields that a later version has added', () => {
    expect(storedFacts(again(own))).to.deep.equal(own)
    expect(storedFacts(again({ ...own, region: 'north' }))).to.deep.equal({ ...own, region: 'north' })
    expect(factsOrNull(null)).to.equal(null)
    expect(storedTexts('["a","b"]')).to.deep.equal(['a', 'b'])
    expect(storedHeaders('{"etag":"x"}')).to.deep.equal({ etag: 'x' })
    expect(storedRecord('{"credits":1}')).to.deep.equal({ credits: 1 })
  })

  it('is refused when a field is missing or of another type, never half understood', () => {
    for (const name of Object.keys(facts())) {
      const without: Record<string, unknown> = { ...own }
      delete without[name]
      expect(() => storedFacts(again(without)), `without ${name}`).to.throw('the facts of a call')
      expect(() => storedFacts(again({ ...own, [name]: { $ne: null } })), name).to.throw('the facts of a call')
    }
    for (const change of [{ via: null }, { aborted: false }, { providers_tried: ['first', 2] }])
      expect(() => storedFacts(again({ ...own, ...change }))).to.throw('the facts of a call')
    for (const text of ['null', '[]', '1', '""']) expect(() => storedFacts(text), text).to.throw('the facts of a call')
    for (const text of ['"search.web"', '{"0":"a"}', '[1]', 'null']) expect(() => storedTexts(text), text).to.throw('a list of texts')
    for (const text of ['["etag"]', '{"etag":1}', 'null']) expect(() => storedHeaders(text), text).to.throw('headers')
    for (const text of ['[]', '"x"', 'null']) expect(() => storedRecord(text), text).to.throw('an object')
  })

  it('scopes of a key that are no list open nothing', async () => {
    const { store, file, end } = await temporaryStore()
    try {
      await store.accounts.create({ id: 'acc', name: 'Acme', now: NOON })
      await store.keys.create(keyOf({ scopes: ['search.web'] }))
      const other = new DatabaseSync(file)
      // A text answers `includes` too, for every part of it.
      other.exec(`update keys set scopes = '"search.web"'`)
      other.close()
      expect((await errorOf(store.keys.find(keyOf().hash))).message).to.contain('a list of texts')
    } finally {
      await end()
    }
  })
})
