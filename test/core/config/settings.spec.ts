import { expect } from 'chai'
import { stringify } from 'yaml'
import { definitionList, type Definition } from '../../../config/default.js'
import { nobody, configFolder, type ConfigFolder } from '../../support/config.js'

type Named = Definition & { readonly name: string }
interface Sample {
  /** As a variable has it. */
  readonly text: string
  /** As the file has it. */
  readonly yaml: unknown
  readonly value: unknown
}

const same = (value: unknown, text = String(value)): Sample => ({ text, yaml: value, value })
const byName: Record<string, Sample> = {
  'server.host': same('gate.example.com'),
  'server.admin_host': same('::1'),
  'server.public_url': { text: 'https://gate.example.com/', yaml: 'https://gate.example.com/', value: 'https://gate.example.com' },
  'server.trusted_proxies': same(['10.0.0.1', 'fd00::/8'], '10.0.0.1,fd00::/8'),
  'server.cors_origins': same(['https://app.example.com', '*'], 'https://app.example.com, *'),
  store: same('mongodb://db.example.com/capstan'),
  redis: same('redis://cache.example.com:6379'),
  artifacts: same('s3://bucket?endpoint=http://127.0.0.1:9000&region=eu'),
  'outbound.allow_private': same(['10.1.0.0/16', 'localhost:9000'], '10.1.0.0/16,localhost:9000'),
  'outbound.proxy': same('http://proxy.example.com:3128'),
  'net.dns': same('127.0.0.1:5353'),
  'net.whois': same('whois.example.com:43'),
  'otel.endpoint': same('http://otel.example.com:4318'),
  data: same('/srv/capstan'),
  's3.access_key_id': same('AKIA0'),
  's3.secret_access_key': same('hush'),
  's3.session_token': same('hush'),
  plugins: same(['/srv/one', '/srv/two'], '/srv/one:/srv/two'),
  'log.level': same('error'),
  'log.format': same('text'),
  'sandbox.without_groups': same('allow'),
  'server.admin_api': same('private'),
  products: same({ tiny: ['search'] }),
}

/** A value that is not the default, made from the type where the form does not matter. */
function sample(definition: Named): Sample {
  const named = byName[definition.name]
  if (named !== undefined) return named
  if (definition.form !== undefined || definition.path === true) throw new Error(`give ${definition.name} a sample in this test`)
  if (definition.type === 'boolean') return same(definition.default !== true)
  if (definition.type === 'duration') return { text: '2m', yaml: '2m', value: 120 }
  if (definition.type === 'bytes') return { text: '33MiB', yaml: '33MiB', value: 33 * 1024 ** 2 }
  if (definition.type === 'string') return same('other')
  return same((definition.min ?? 1) + 3)
}

/** A text that is refused; undefined where any text is right. */
function wrong(definition: Named): string | undefined {
  if (definition.type === 'enum') return 'loud'
  if (definition.type === 'string') return definition.form === undefined ? undefined : 'ftp:/x y'
  if (definition.type === 'list') return definition.form === undefined ? undefined : '!!'
  return 'many'
}

function valueOf(settings: object, { as, name }: Named): unknown {
  return (as ?? name).split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], settings)
}

function asYaml(name: string, value: unknown): string {
  return stringify(name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value))
}

describe('settings of config/default.ts', () => {
  let folder: ConfigFolder
  beforeEach(() => (folder = configFolder()))
  afterEach(() => folder.done())

  for (const definition of definitionList) {
    const { name, variable } = definition
    const others = definitionList.filter((other) => other !== definition && !(name === 'data' && other.path === true))

    it(`${name}: the file sets it and nothing else`, () => {
      const before = folder.load(null)
      const after = folder.load(asYaml(name, sample(definition).yaml))
      expect(valueOf(before.settings, definition)).not.to.deep.equal(sample(definition).value)
      expect(valueOf(after.settings, definition)).to.deep.equal(sample(definition).value)
      for (const other of others) expect(valueOf(after.settings, other), other.name).to.deep.equal(valueOf(before.settings, other))
      expect(after.report(nobody).find((row) => row.name === name)?.source).to.equal('file')
    })

    if (variable !== null) {
      it(`${name}: ${variable} sets it, and wins over the file`, () => {
        const config = folder.load(null, { [variable]: sample(definition).text })
        expect(valueOf(config.settings, definition)).to.deep.equal(sample(definition).value)
        const both = folder.load(asYaml(name, definition.type === 'integer' ? 1 : sample(definition).yaml), {
          [variable]: sample(definition).text,
        })
        expect(valueOf(both.settings, definition)).to.deep.equal(sample(definition).value)
        expect(both.report(nobody).find((row) => row.name === name)?.source).to.equal('variable')
      })

      it(`${name}: an empty ${variable} counts as not set`, () => {
        expect(folder.load(null, { [variable]: '' }).settings).to.deep.equal(folder.load(null).settings)
      })
    }

    const bad = wrong(definition)
    if (bad === undefined) continue
    it(`${name}: a wrong value is refused with its position`, () => {
      const [problem, ...rest] = folder.refuse(asYaml(name, bad))
      expect(rest).to.deep.equal([])
      expect(problem?.where).to.match(/^capstan\.yml:\d+:\d+$/)
      expect(problem?.message)
        .to.contain(`${name} must be`)
        .and.to.contain(definition.secret === true ? 'not what is there' : bad)
      if (variable === null) return
      const [fault] = folder.refuse(null, { [variable]: bad })
      expect(fault).to.include({ where: variable, level: 'error' })
      expect(fault?.message).to.contain(`${name} must be`)
    })
  }

  const bounded = definitionList.filter(({ min, max }) => min !== undefined || max !== undefined)
  it(`${bounded.length} settings with bounds take what lies on them and refuse what lies beyond`, () => {
    for (const definition of bounded) {
      const { name, min, max } = definition
      for (const edge of [min, max]) {
        if (edge === undefined) continue
        expect(valueOf(folder.load(asYaml(name, edge)).settings, definition), `${name} ${edge}`).to.equal(edge)
        const beyond = edge === min ? edge - 1 : edge + 1
        // A sign is no part of a size or a time.
        if (beyond < 0 && definition.type !== 'integer') continue
        expect(folder.refuse(asYaml(name, beyond))[0]?.message, `${name} ${beyond}`).to.contain(`${name} must be`)
      }
    }
  })

  it('defaults are values of their own types', () => {
    const { settings } = folder.load(null)
    expect(settings.server.port).to.equal(8420)
    expect(settings.limits).to.include({
      key_concurrency: 20,
      account_concurrency: 64,
      failed_logins: 20,
      failed_logins_window: 900,
      address_per_minute: 600,
      address_connections: 1_000,
      body: 1024 ** 2,
      answer: 32 * 1024 ** 2,
      aborts_per_minute: 20,
      unpaid_tokens: 200_000,
      unpaid_vendor_calls: 60,
      browser_slots: null,
      grace: 30,
    })
    expect(settings.outbound.per_host).to.equal(8)
  })

  it('no two settings share a variable, and each has a sentence', () => {
    const variables = definitionList.flatMap(({ variable }) => (variable === null ? [] : [variable]))
    expect(new Set(variables).size).to.equal(variables.length)
    for (const { name, about } of definitionList) expect(about, name).to.match(/^.{10,120}\.$/)
  })
})
