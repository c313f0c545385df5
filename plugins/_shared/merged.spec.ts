import { expect } from 'chai'
import { deepFreeze } from '../../core/dispatch/perform.js'
import { merged } from './merged.js'
import { seeded } from '../../test/support/hostile.js'

const from = <T extends object>(...data: T[]) => data.map((each, at) => ({ provider: `v${at}`, data: each }))
/** The merge of answers that are there. */
function merge<T extends object>(...of: Parameters<typeof merged<T>>) {
  const result = merged(...of)
  if (result === null) throw new Error('there were answers')
  return result
}

describe('merged()', () => {
  it('takes the first that says something for each field, and says who', () => {
    const { data, sources, disagreements } = merge<object>(
      from<object>(
        { name: '', size: 0, on: false, city: null, tags: [], own: 1 },
        { name: 'Ada', size: 7, on: true, city: undefined, tags: ['x'] },
        { name: 'Eve', city: 'Ulm', later: 'l' },
      ),
    )
    expect(data).to.deep.equal({ name: 'Ada', size: 0, on: false, city: 'Ulm', tags: ['x'], own: 1, later: 'l' })
    expect(sources).to.deep.equal({ name: ['v1'], size: ['v0'], on: ['v0'], city: ['v2'], tags: ['v1'], own: ['v0'], later: ['v2'] })
    expect(disagreements).to.deep.equal([
      {
        field: 'name',
        values: [
          { provider: 'v1', value: 'Ada' },
          { provider: 'v2', value: 'Eve' },
        ],
      },
      {
        field: 'size',
        values: [
          { provider: 'v0', value: 0 },
          { provider: 'v1', value: 7 },
        ],
      },
      {
        field: 'on',
        values: [
          { provider: 'v0', value: false },
          { provider: 'v1', value: true },
        ],
      },
    ])
  })

  it('is null without answers; of what nobody said the field stays, with no source', () => {
    expect(merged([])).to.equal(null)
    const { data, sources } = merge<object>(from<object>({ a: null, b: { c: null }, d: [] }, { a: '', b: { c: '', e: [] }, d: null }))
    expect(data).to.deep.equal({ a: null, b: { c: null, e: [] }, d: [] })
    expect(sources).to.deep.equal({})
  })

  it('merges nested objects by dot path', () => {
    const { data, sources, disagreements } = merge<object>(
      from<object>(
        { at: null },
        { at: { city: 'Ulm', geo: { lat: 1 } } },
        { at: { city: 'Bonn', geo: { lat: null, lon: 2 } } },
        { at: 'Ulm' },
      ),
    )
    expect(data).to.deep.equal({ at: { city: 'Ulm', geo: { lat: 1, lon: 2 } } })
    expect(sources).to.deep.equal({ 'at.city': ['v1'], 'at.geo.lat': ['v1'], 'at.geo.lon': ['v2'] })
    expect(disagreements.map(({ field }) => field)).to.deep.equal(['at', 'at.city'])
  })

  it('takes a field as a whole when specified', () => {
    const answers = from({ price: { amount: 1, currency: null }, tags: ['a'] }, { price: { amount: 2, currency: 'EUR' }, tags: ['b'] })
    const { data, sources, disagreements } = merge(answers, { whole: ['price', 'tags'] })
    expect(data).to.deep.equal({ price: { amount: 1, currency: null }, tags: ['a'] })
    expect(sources).to.deep.equal({ price: ['v0'], tags: ['v0'] })
    expect(disagreements.map(({ field }) => field)).to.deep.equal(['price', 'tags'])
  })

  it('unites lists by equality, whatever the order of fields', () => {
    const { data, sources, disagreements } = merge<object>(
      from<object>({ l: ['a', { x: 1, y: [2] }, 'a'] }, { l: [{ y: [2], x: 1 }, 'a'] }, { l: ['b'] }),
    )
    expect(data).to.deep.equal({ l: ['a', { x: 1, y: [2] }, 'b'] })
    expect(sources).to.deep.equal({ l: ['v0', 'v2'] })
    expect(disagreements).to.deep.equal([])
  })

  it('unites lists by a key: items are merged inside, disagreements named by it', () => {
    const answers = from(
      { jobs: [{ company: 'acme', title: null as string | null, tags: ['x'] }] },
      {
        jobs: [
          { company: 'ACME', title: 'cto', tags: ['y'] },
          { company: '', title: 'none', tags: [] },
        ],
      },
      {
        jobs: [
          { company: 'acme', title: 'ceo', tags: ['x'] },
          { company: '', title: 'none', tags: [] },
        ],
      },
    )
    const byText = merge(answers, { lists: { jobs: ({ company }) => company.toLowerCase() } })
    expect(byText.data.jobs).to.deep.equal([
      { company: 'acme', title: 'cto', tags: ['x', 'y'] },
      { company: '', title: 'none', tags: [] },
    ])
    expect(byText.sources).to.deep.equal({ jobs: ['v0', 'v1'] })
    expect(byText.disagreements.map(({ field }) => field)).to.deep.equal(['jobs[acme].company', 'jobs[acme].title'])
    const filled = merge(from({ jobs: [{ id: 1, title: null as string | null }] }, { jobs: [{ id: 1, title: 'cto' }] }), {
      lists: { jobs: 'id' },
    })
    expect(filled.sources).to.deep.equal({ jobs: ['v0', 'v1'] })
    const byField = merge(answers, { lists: { jobs: 'company' } })
    expect(byField.data.jobs.map(({ company, title }) => [company, title])).to.deep.equal([
      ['acme', 'ceo'],
      ['ACME', 'cto'],
      ['', 'none'],
    ])
    const byBoth = merge(answers, { lists: { jobs: ['company', 'title'] } })
    expect(byBoth.data.jobs).to.have.length(4)
  })

  it('takes keys for lists inside of items, and treats spellings of a text as one without a disagreement', () => {
    const answers = from(
      { jobs: [{ id: 1, tasks: [{ id: 'a', done: null as boolean | null }] }], skills: ['Rust', 'rust'] },
      {
        jobs: [
          {
            id: 1,
            tasks: [
              { id: 'a', done: true },
              { id: 'b', done: null },
            ],
          },
        ],
        skills: ['RUST', 'Go'],
      },
    )
    const { data, disagreements } = merge(answers, {
      lists: { jobs: 'id', 'jobs.tasks': 'id', skills: (skill) => skill.toLowerCase() },
    })
    expect(data).to.deep.equal({
      jobs: [
        {
          id: 1,
          tasks: [
            { id: 'a', done: true },
            { id: 'b', done: null },
          ],
        },
      ],
      skills: ['Rust', 'Go'],
    })
    expect(disagreements).to.deep.equal([])
  })

  it('names from vendors do no harm', () => {
    const hostile = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"x": 1}, "toString": "t"}') as object
    const { data } = merge<object>(from<object>({ ok: 1 }, hostile), { lists: {} })
    expect(Object.keys(data).sort()).to.deep.equal(['__proto__', 'constructor', 'ok', 'toString'])
    expect(Object.entries(data).find(([name]) => name === 'toString')?.[1]).to.equal('t')
    expect(Object.getPrototypeOf(data)).to.equal(Object.prototype)
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined)
  })

  it('bytes and dates are values, not records', () => {
    const bytes = new Uint8Array(2)
    const day = new Date(0)
    const { data } = merge<object>(from<object>({ bytes, day }, { bytes: new Uint8Array(3), day: new Date(1) }))
    expect(data).to.deep.equal({ bytes, day })
  })
})

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

describe('merged() of random answers', () => {
  const ROUNDS = 1_000
  const random = seeded(20_261_124)
  const pick = <T>(...of: readonly [T, ...T[]]): T => of[Math.floor(random() * of.length)] ?? of[0]
  const scalar = (): Json => pick<Json>(null, '', 'a', 'b', 0, 1, false, true)
  const value = (depth: number): Json => {
    if (depth === 0 || random() < 0.6) return scalar()
    return random() < 0.5 ? Array.from({ length: Math.floor(random() * 4) }, () => value(depth - 1)) : record(depth - 1)
  }
  const record = (depth: number): { [name: string]: Json } =>
    Object.fromEntries(['a', 'b', 'c', 'k'].flatMap((name) => (random() < 0.7 ? [[name, value(depth)]] : [])))
  const answers = (most = 4) => from(...Array.from({ length: 1 + Math.floor(random() * most) }, () => record(3)))
  const spec = { lists: { a: 'k', b: (item: unknown) => (typeof item === 'string' ? item : null) } } as object
  const at = (data: unknown, path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>((inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined), data)
  const empty = (given: unknown): boolean =>
    given === null ||
    given === undefined ||
    given === '' ||
    (Array.isArray(given) ? given.length === 0 : typeof given === 'object' && Object.values(given).every(empty))
  const rounds = (check: (given: ReturnType<typeof answers>) => void): void => {
    for (let round = 0; round < ROUNDS; round++) {
      const given = answers()
      try {
        check(given)
      } catch (error) {
        throw new Error(`round ${round}: ${JSON.stringify(given)}`, { cause: error })
      }
    }
  }

  it('the source of a field is the first that says something there, and the value is its', () => {
    rounds((given) => {
      const { data, sources } = merge<object>(given)
      for (const [path, providers] of Object.entries<readonly string[]>(sources)) {
        expect(providers.length, path).to.be.at.least(1)
        if (Array.isArray(at(data, path))) continue
        const first = given.find((answer) => !empty(at(answer.data, path)))
        expect(providers, path).to.deep.equal([first?.provider])
        expect(at(data, path), path).to.deep.equal(at(first?.data, path))
      }
    })
  })

  it('nothing that was said at the top is lost, and nothing is there that nobody said', () => {
    rounds((given) => {
      const { data } = merge<object>(given)
      const names = new Set(given.flatMap((answer) => Object.keys(answer.data)))
      expect(new Set(Object.keys(data))).to.deep.equal(names)
      for (const name of names) expect(empty(at(data, name)), name).to.equal(given.every((answer) => empty(at(answer.data, name))))
    })
  })

  it('a list has every item of each vendor whose word there is a list, once', () => {
    rounds((given) => {
      const { data } = merge<object>(given)
      for (const name of Object.keys(data)) {
        const list = at(data, name)
        if (!Array.isArray(list)) continue
        const texts = list.map((item) => stable(item))
        expect(new Set(texts).size, name).to.equal(texts.length)
        const all = given.flatMap((answer) => {
          const own = at(answer.data, name)
          return Array.isArray(own) ? own.map((item) => stable(item)) : []
        })
        expect(new Set(texts), name).to.deep.equal(new Set(all))
      }
    })
  })

  it('one more vendor behind the others changes no field that had a source, other than lists', () => {
    rounds((given) => {
      const before = merge<object>(given, spec)
      const after = merge<object>([...given, { provider: 'last', data: record(3) }], spec)
      for (const path of Object.keys(before.sources)) {
        if (Array.isArray(at(before.data, path))) continue
        expect(at(after.data, path), path).to.deep.equal(at(before.data, path))
        expect(Reflect.get(after.sources, path), path).to.deep.equal(Reflect.get(before.sources, path))
      }
    })
  })

  it('one that says nothing, or the same again, changes nothing', () => {
    rounds((given) => {
      const once = merge<object>(given, spec)
      expect(merge<object>([...given, { provider: 'mute', data: {} }], spec)).to.deep.equal(once)
      const twice = merge<object>([...given, ...given], spec)
      expect(twice.data).to.deep.equal(once.data)
      expect(twice.sources).to.deep.equal(once.sources)
      expect(twice.disagreements).to.deep.equal(once.disagreements)
      expect(merge<object>([{ provider: 'v', data: once.data }], spec).data).to.deep.equal(once.data)
    })
  })

  it('disagreements are exactly the fields with a value for which two said different things', () => {
    rounds((given) => {
      const { data, sources, disagreements } = merge<object>(given)
      const named = new Set(disagreements.map(({ field }) => field))
      for (const path of Object.keys(sources)) {
        if (Array.isArray(at(data, path))) continue
        const said = new Set(
          given
            .map((answer) => at(answer.data, path))
            .filter((one) => !empty(one))
            .map((one) => stable(one)),
        )
        expect(named.has(path), path).to.equal(said.size > 1)
      }
      for (const { field, values } of disagreements) {
        expect(new Set(values.map((one) => stable(one.value))).size, field).to.be.at.least(2)
        expect(new Set(values.map(({ provider }) => provider)).size, field).to.equal(values.length)
        for (const { provider, value: own } of values)
          expect(at(given.find((answer) => answer.provider === provider)?.data, field), field).to.deep.equal(own)
      }
    })
  })

  it('changes no answer', () => {
    rounds((given) => {
      const copy = structuredClone(given)
      deepFreeze(given)
      merge<object>(given, spec)
      expect(given).to.deep.equal(copy)
    })
  })
})

/** The same text for equal values. */
function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, inner]) => `${name}:${stable(inner)}`)
    .sort()
    .join()}}`
}
