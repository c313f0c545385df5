import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { APIStatusError, type CallRecord, type Capstan } from '../../../clients/typescript/src/index.js'
import { DEADLINES } from '../../../clients/typescript/src/generated.js'
import { packageRoot } from '../../../core/runtime/root.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { gatedParams, type Params } from '../../support/shipped/calls.js'
import { ShippedWorld } from '../../support/shipped/world.js'
import { OpenApiChecker } from '../../support/openapi.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { clientOf, thrown } from './support.js'

/** Engines that take seconds: their file has no public address, so that the call fails where it has begun. */
const SLOW = ['speech.transcribe', 'audio.transcribe', 'subtitles.generate', 'video.info', 'images.remove_background']

type Method = (params: Params) => Promise<{ data: unknown; credits_used: number; balance: number | null }>
/** Capabilities whose method is not named by their id. */
const NAMES: Readonly<Record<string, string>> = { 'emails.verify': 'verifyEmail', 'emails.find': 'findEmails' }

describe('the TypeScript client: its methods and types', function () {
  this.timeout(120_000)
  let world: ShippedWorld
  let gateway: TestGateway
  let checker: OpenApiChecker
  let client: Capstan
  before(async () => {
    world = await ShippedWorld.start()
    gateway = await startGateway(world.options('gated'))
    checker = await OpenApiChecker.of(gateway)
    client = clientOf(gateway, { apiKey: (await gateway.newAccount(10_000)).key, maxRetries: 0 })
  })
  after(async () => {
    await gateway.close()
    await world.close()
  })

  it('are those of the gateway: node clients/typescript/generate.mjs writes them anew', async () => {
    const module: unknown = await import(pathToFileURL(join(packageRoot(), 'clients/typescript/generate.mjs')).href)
    const { generated } = module as { generated: (document: unknown) => string }
    const file = readFileSync(join(packageRoot(), 'clients/typescript/src/generated.ts'), 'utf8')
    expect(generated(checker.document) === file, 'src/generated.ts differs from the description').to.equal(true)
  })

  for (const id of Object.keys(DEADLINES).filter((name) => !SLOW.includes(name)))
    it(`client.${methodOf(id)} calls ${id} and has a result of its schema`, async () => {
      const { data, credits_used: credits, balance } = await method(id)(params(id, 901))
      const path = `/v1/${id.replaceAll('.', '/').replaceAll('_', '-')}`
      const schema = checker.document.paths[path]?.['post']?.responses['200']?.content?.['application/json']?.schema as {
        properties: { data: object }
      }
      const ajv = new Ajv2020({ strict: false, allErrors: true })
      formats.default(ajv)
      expect(ajv.validate(schema.properties.data, data), ajv.errorsText()).to.equal(true)
      expect(credits).to.be.above(0)
      expect(balance).to.be.a('number')
      expect(await last()).to.include({ capability: id, success: true, credits_used: credits })
    })

  for (const id of SLOW)
    it(`client.${methodOf(id)} calls ${id}`, async () => {
      const gone = Object.entries(params(id, 902)).map(([name, value]) => [name, name.endsWith('url') ? 'http://10.0.0.1/here' : value])
      const error = await thrown(method(id)(Object.fromEntries(gone) as Params))
      expect(error).to.be.instanceOf(APIStatusError)
      expect(await last()).to.include({ capability: id, success: false, credits_used: 0 })
    })

  it('are those of all capabilities', () => {
    expect(Object.keys(DEADLINES)).to.have.members([...gateway.app.services.registry().capabilities.keys()])
  })

  const params = (id: string, n: number): Params =>
    gatedParams(gateway.app.services.registry().capabilities.get(id) ?? expect.fail(`${id} is not loaded`), world, n)
  const method = (id: string): Method => {
    const names = methodOf(id).split('.')
    return names.reduce<unknown>((found, name) => Reflect.get(Object(found) as object, name), client) as Method
  }
  /** The newest call of the history. */
  const last = async (): Promise<CallRecord | void> => (await client.calls.list({ limit: 1 }).next()).value

  it('the playground proposes a call and executes nothing', async () => {
    const before = (await client.account()).balance
    const { capability, params, credits } = await client.playground('take a screenshot of https://example.com')
    expect(capability).to.equal('screenshots.capture')
    expect(params).to.include({ url: 'https://example.com' })
    expect(credits).to.be.above(0)
    const after = await client.playground('and a larger one of https://example.org', [
      { role: 'user', content: 'take a screenshot of https://example.com' },
    ])
    expect(after.alternatives).to.be.an('array')
    expect((await client.account()).balance).to.equal(before)
  })
})

/** `images.remove_background` as `images.removeBackground`. */
function methodOf(id: string): string {
  return NAMES[id] ?? id.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase())
}
