import { expect } from 'chai'
import { ConfigError } from '../../../core/problems/errors.js'
import { PluginError } from '../../../core/loader/plugin-error.js'
import { load, PluginFolder, type FakeConfig } from '../../support/loader.js'
import { contract, index, provider } from '../../support/loader-texts.js'

describe('a bundled plugin that is wrong stops the start', () => {
  let folder: PluginFolder
  beforeEach(async () => {
    folder = await PluginFolder.make()
  })
  afterEach(() => folder.remove())

  async function refusal(files: Readonly<Record<string, string>>, config: FakeConfig = {}): Promise<Error> {
    await folder.write('thing', { 'index.js': index('thing'), ...files })
    try {
      await load({ firstParty: folder.path, config })
    } catch (error) {
      if (error instanceof Error) return error
    }
    throw new Error('it was loaded')
  }

  const cases: [string, Readonly<Record<string, string>>, string][] = [
    ['T-70 a path of the gateway', { 'contract.js': contract("path: '/v1/keys/thing'") }, 'the path "/v1/keys/thing" is reserved'],
    ['T-70 an id of the gateway', { 'contract.js': contract("id: 'agent'") }, 'the id "agent" is reserved'],
    ['T-70 an alias of the gateway', { 'contract.js': contract("aliases: ['tools']") }, 'the alias "tools" is reserved'],
    [
      'vendors of another id',
      { 'contract.js': contract("vendors: port({ id: 'other', input: Type.Object({}), output: Type.Object({}) })") },
      'the port other is given as vendors of thing and must have its id',
    ],
    [
      'vendors with an input of their own and no handler',
      { 'contract.js': contract("vendors: port({ id: 'thing', input: Type.Object({}), output: Type.Object({}) })") },
      'thing has vendors with an input of their own and no handler that calls them',
    ],
    ['a path outside /v1', { 'contract.js': contract("path: '/thing'") }, 'does not begin with /v1/'],
    ['an id that is no dotted words', { 'contract.js': contract("id: 'Thing One'") }, 'is not dotted words'],
    ['T-64 a negative price', { 'contract.js': contract('price: flat(-1)') }, '-1 is not an amount of credits'],
    ['T-64 a price that is no number', { 'contract.js': contract('price: flat(NaN)') }, 'NaN is not an amount'],
    ['T-64 an infinite price', { 'contract.js': contract('price: flat(Infinity)') }, 'Infinity is not an amount'],
    ['T-64 a price finer than the ledger', { 'contract.js': contract('price: flat(0.0005)') }, '0.0005 is not an amount'],
    ['T-64 a huge price', { 'contract.js': contract('price: flat(1000001)') }, '1000001 is not an amount'],
    [
      'T-64 a value without a price',
      { 'contract.js': contract("price: by('mode', { a: 1 })") },
      'the price of thing for mode="b" is wrong: no price for "b"',
    ],
    [
      'T-64 a reduction below nothing',
      { 'contract.js': contract("price: plus(flat(1), [{ when: 'mode', is: 'b', add: -2 }])") },
      'for mode="b" is wrong: -1 is not',
    ],
    [
      'T-64 a price of a field that is not there',
      { 'contract.js': contract("price: by('depth', { a: 1 })") },
      'reads "depth", which its input does not have',
    ],
    [
      'T-76 a long description',
      { 'contract.js': contract("description: 'x'.repeat(901)") },
      'the description of thing has 901 characters, more than 900',
    ],
    ['T-76 an empty title', { 'contract.js': contract("title: ' '") }, 'the title of thing is missing'],
    ['T-76 a control character', { 'contract.js': contract("description: 'Does\\u0007 it.'") }, 'hidden character (U+0007)'],
    ['T-76 a bidirectional override', { 'contract.js': contract("title: 'a\\u202Eb'") }, 'hidden character (U+202E)'],
    [
      'T-76 a zero-width character in a parameter',
      { 'contract.js': contract("input: Type.Object({ text: Type.String({ description: 'a\\u200Bb' }) })") },
      'hidden character (U+200B)',
    ],
    [
      'T-76 a parameter without a description',
      { 'contract.js': contract('input: Type.Object({ text: Type.String() })') },
      `the description of thing's parameter "text" is missing`,
    ],
    [
      'a parameter schema that tools do not take',
      { 'contract.js': contract("input: Type.Object({ text: Type.String({ description: 'd' }) }, { anyOf: [{ required: ['text'] }] })") },
      '"anyOf" at the top',
    ],
    ['no example', { 'contract.js': contract('examples: []') }, 'thing has no example'],
    [
      'a provider file with a syntax error',
      { 'contract.js': contract(), 'providers/maker.js': 'export const = 1' },
      'plugin thing, providers/maker.ts: cannot be loaded:',
    ],
    [
      'a broken import, which differs from an absent file',
      { 'contract.js': "export * from './gone.js'" },
      'plugin thing, contract.ts: cannot be loaded: Cannot find module',
    ],
    [
      'two providers of one vendor for a port',
      { 'contract.js': contract(), 'providers/maker.js': provider('maker'), 'providers/maker-two.js': provider('maker') },
      'port thing already has a provider of vendor maker',
    ],
    [
      'one vendor id with two definitions',
      {
        'contract.js': `${contract()}\nexport const other = port({ id: 'thing.other', input: Type.Object({}), output: Type.Object({}) })`,
        'providers/maker.js': provider('maker'),
        'providers/maker-two.js': provider('maker', "title: 'Another'").replaceAll('thing', 'other'),
      },
      'vendor maker is defined differently',
    ],
    [
      'a list of programs',
      { 'contract.js': contract(), 'providers/maker.js': provider('maker', "programs: ['ffmpeg']") },
      "vendor maker has programs in another form than { ffmpeg: 'ffmpeg' }, a program and its Debian package",
    ],
    [
      'a secret without a name',
      { 'contract.js': contract(), 'providers/maker.js': provider('maker', "secrets: 'MAKER_API_KEY'") },
      "vendor maker has secrets in another form than { api_key: 'EXAMPLE_API_KEY' }",
    ],
    [
      'a vendor address that is none',
      { 'contract.js': contract(), 'providers/maker.js': provider('maker', "baseUrl: 'ftp://x.example'") },
      'which is not an http(s) address',
    ],
    [
      'a vendor that is probed with a program it does not declare',
      { 'contract.js': contract(), 'providers/maker.js': provider('maker', "probe: { program: 'maker', args: [] }") },
      'vendor maker is probed with the program "maker", which it does not declare',
    ],
    [
      'T-67 a vendor that reads a variable of the gateway',
      { 'contract.js': contract(), 'providers/maker.js': provider('maker', "secrets: { key: 'CAPSTAN_ADMIN_TOKEN' }") },
      'reads the variable "CAPSTAN_ADMIN_TOKEN"',
    ],
    ['a default export', { 'contract.js': `${contract()}\nexport default thing` }, 'has a default export; the loader reads named exports'],
    [
      'a handler of a capability of another plugin',
      {
        'contract.js': contract(),
        'handler.js': "import { handle } from '@sdk'\nexport const h = handle({ id: 'foreign' }, async () => ({}))",
      },
      'handles foreign, which is not a capability of this plugin',
    ],
    [
      'two handlers',
      {
        'contract.js': contract(),
        'handler.js':
          "import { handle } from '@sdk'\nexport const h = handle({ id: 'thing' }, async () => ({}))\nexport const i = handle({ id: 'thing' }, async () => ({}))",
      },
      'a second handler of thing',
    ],
    [
      'a capability in the index, where nobody would find it',
      {
        'index.js': `${index('thing')}\nimport { capability, flat } from '@sdk'\nexport const stray = capability({ id: 'stray', price: flat(1) })`,
      },
      'plugin thing, index.ts: exports a capability, which belongs in a file contract beside it',
    ],
    ['a manifest outside the index', { 'contract.js': index('thing') }, 'belongs only in index'],
    [
      'another number of the sdk',
      { 'index.js': index('thing', 'sdk: 3') },
      'plugin thing, index.ts: was written for sdk 3 and this gateway has sdk 2; use a version of the plugin made for it',
    ],
    ['an index without a manifest', { 'index.js': 'export const nothing = 1' }, 'must export exactly one plugin('],
    ['a name other than the folder', { 'index.js': index('other') }, 'is called other but is in the folder thing'],
  ]
  for (const [title, files, message] of cases) {
    it(title, async () => {
      const error = await refusal(files)
      expect(error).to.be.instanceOf(PluginError)
      expect(error.message).to.contain(message)
    })
  }

  it('T-70 the id of another plugin’s port', async () => {
    await folder.write('other', { 'index.js': index('other'), 'contract.js': contract("path: '/v1/other'") })
    expect((await refusal({ 'contract.js': contract() })).message).to.contain('the id thing is already taken by plugin other')
  })

  it('checks the sdk number before any other file runs', async () => {
    const error = await refusal({ 'index.js': index('thing', 'sdk: 1'), 'contract.js': 'throw new Error("it ran")' })
    expect(error.message).to.contain('was written for sdk 1 and')
  })

  it('T-70 names that mean two capabilities', async () => {
    const second = contract("id: 'things', path: '/v1/things', aliases: ['thing']").replace('const thing', 'const things')
    const error = await refusal({ 'contract.js': `${contract()}${second.slice(second.indexOf('export'))}` })
    expect(error.message).to.contain('the name "thing" of things already means thing')
  })

  it('T-64 amounts of the operator that are no prices', async () => {
    const error = await refusal({ 'contract.js': contract("price: by('mode', { a: 1, b: 2 })") }, { prices: { thing: { b: -1 } } })
    expect(error).to.be.instanceOf(ConfigError)
    expect(error.message).to.contain('prices.thing: the price of thing for mode="b" is wrong: -1')
  })

  const examples: [string, string, string][] = [
    ['misses a rule over fields', "check: () => [{ loc: ['text'], msg: 'is too short' }]", 'text is too short'],
    [
      'is no input',
      "examples: [{ title: 'One', params: { text: 1 } }]",
      'the example "One" of thing is not a valid input: /text must be string',
    ],
    ['has an unknown field', "examples: [{ title: 'One', params: { text: 'x', colour: 'red' } }]", '(colour)'],
  ]
  for (const [title, more, message] of examples)
    it(`an example that ${title}, once the operator has prices of their own, which it is quoted with`, async () => {
      const error = await refusal({ 'contract.js': contract(more) }, { prices: { thing: { call: 2 } } })
      expect(error).to.be.instanceOf(PluginError)
      expect(error.message).to.contain(message)
    })
})
