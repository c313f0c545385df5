import type { Context } from 'mocha'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { DocumentRead, OcrPage } from '../../plugins/reading/contract.js'
import { needs } from './exec-sandbox.js'
import { startGateway, type Reply, type TestGateway } from './gateway.js'
import { index } from './loader-texts.js'
import { PluginFolder } from './loader.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { TemporaryFolder } from './store.js'

const SDK = 'capstan/sdk'
const contract = `import { Type, capability, flat, or } from '${SDK}'
export const look = capability({
  id: 'look', path: '/v1/look', title: 'Look', description: 'Reads a file.', price: flat(1), timeoutMs: 60_000,
  input: Type.Object({ url: Type.String({ description: 'Address.' }), port: Type.String({ description: 'Port.' }), input: or(Type.Record(Type.String(), Type.Unknown(), { description: 'Input.' }), {}) }),
  output: Type.Unknown(),
  examples: [{ title: 'One', params: { url: 'http://example.com/x', port: 'document.read' } }],
})
`
const handler = `import { handle } from '${SDK}'
import { documentPages, documentRead, ocrRead } from 'capstan/contracts/reading'
import { look } from './contract.mjs'
const ports = [documentPages, documentRead, ocrRead]
export const run = handle(look, async ({ url, port, input }, ctx) => {
  const file = await ctx.scratch.fetch(url)
  const read = await ctx.call(ports.find(({ id }) => id === port), { file, ...input })
  const attachments = await Promise.all((read.attachments ?? []).map(async (each) => {
    let text = ''
    if (each.file !== null) for await (const piece of ctx.scratch.read(each.file)) text += Buffer.from(piece).toString()
    return { ...each, text }
  }))
  return { ...read, attachments }
})
`

/** What `ocr.read` answers. */
export interface Recognised {
  readonly pages: OcrPage[]
  readonly page_count: number
  readonly text: string
  readonly confidence: number
  readonly truncated: boolean
  readonly notes: string[]
}

/** A gateway with a capability that calls the ports of the plugin `reading` with a file, and a site that has the file. */
export class ReadingStage {
  readonly #usual: string
  readonly #temporary: TemporaryFolder
  readonly #site: Running
  readonly #folder: PluginFolder
  readonly gateway: TestGateway
  readonly #key: string
  #file: Uint8Array = new Uint8Array(0)

  private constructor(stage: {
    usual: string
    temporary: TemporaryFolder
    site: Running
    folder: PluginFolder
    gateway: TestGateway
    key: string
  }) {
    this.#usual = stage.usual
    this.#temporary = stage.temporary
    this.#site = stage.site
    this.#folder = stage.folder
    this.gateway = stage.gateway
    this.#key = stage.key
  }

  /** Skips the suite where one of the programs is missing. */
  static async open(context: Context, ...programs: readonly string[]): Promise<ReadingStage> {
    needs(context, 'bwrap', ...programs)
    return await ReadingStage.start()
  }

  static async start(): Promise<ReadingStage> {
    const usual = tmpdir()
    const temporary = new TemporaryFolder()
    await chmod(temporary.path, 0o711)
    process.env['TMPDIR'] = temporary.path
    const served: { stage: ReadingStage | null } = { stage: null }
    const site = await httpServer((_, response) => response.end(served.stage === null ? '' : Buffer.from(served.stage.#file)))
    const folder = await PluginFolder.make()
    await folder.write('look', { 'index.mjs': index('look', '', SDK), 'contract.mjs': contract, 'handler.mjs': handler })
    const env = { CAPSTAN_PLUGINS: folder.path, CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` }
    const gateway = await startGateway({ bundled: true, env })
    served.stage = new ReadingStage({ usual, temporary, site, folder, gateway, key: (await gateway.newKey()).key })
    return served.stage
  }

  get temporary(): string {
    return this.#temporary.path
  }

  async ask(
    port: 'document.pages' | 'document.read' | 'ocr.read',
    file: Uint8Array | string,
    input: Record<string, unknown> = {},
  ): Promise<Reply> {
    this.#file = Buffer.from(file)
    return await this.gateway.send('/v1/look', { method: 'POST', key: this.#key, body: { url: `${this.#site.url}/file`, port, input } })
  }

  async read(file: Uint8Array | string, input: Record<string, unknown> = {}): Promise<ReadDocument> {
    return dataOf<ReadDocument>(await this.ask('document.read', file, input))
  }

  async recognise(file: Uint8Array, input: Record<string, unknown> = {}): Promise<Recognised> {
    return dataOf<Recognised>(await this.ask('ocr.read', file, input))
  }

  async close(): Promise<void> {
    await this.gateway.close()
    await this.#site.close()
    await this.#folder.remove()
    process.env['TMPDIR'] = this.#usual
    this.#temporary.remove()
  }
}

/** A document as it was read, with the text of its attachments. */
export type ReadDocument = Omit<DocumentRead, 'attachments'> & {
  readonly attachments: readonly { name: string; size: number; text: string }[]
}

function dataOf<T>(reply: Reply): T {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`)
  return reply.json<{ data: T }>().data
}
