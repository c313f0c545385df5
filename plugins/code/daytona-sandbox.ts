import { type Call, Fault, nullable, poll, type ProviderContext, Type } from '../../core/sdk/index.js'
import { daytona } from '../_vendors/daytona.js'

const FOLDER = '/tmp/capstan'
const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 2000
/** States from which a sandbox cannot start any more. */
const LOST = ['error', 'build_failed', 'destroyed', 'destroying', 'stopped', 'stopping', 'archived', 'archiving']

const state = Type.Object({
  id: Type.String({ minLength: 1 }),
  state: Type.Optional(Type.String()),
  toolboxProxyUrl: Type.Optional(nullable(Type.String())),
})
const executed = Type.Object({ exitCode: Type.Integer(), result: Type.Optional(Type.Union([Type.String(), Type.Null()])) })
const listing = Type.Array(
  Type.Object({
    name: Type.String(),
    isDir: Type.Optional(Type.Boolean()),
    size: Type.Optional(Type.Number()),
    modTime: Type.Optional(Type.String()),
  }),
)

interface Entry {
  readonly name: string
  readonly size: number
  /** Changes with the file. */
  readonly stamp: string
}

/** Options of a new sandbox. */
interface Wanted {
  readonly snapshot: string | null
  readonly internet: boolean
  /** Idle minutes after which it is stopped and deleted. */
  readonly idleMinutes: number
}

/** The sandbox in the reply that created it: the toolbox's address is that of its region, or null. */
interface Created {
  readonly id: string
  readonly toolbox: string | null
}

/** Creates a sandbox and returns its id, whether or not it runs yet. */
export async function createSandbox({ snapshot, internet, idleMinutes }: Wanted, context: ProviderContext): Promise<Created> {
  const { id, toolboxProxyUrl } = await context.api.json(
    {
      method: 'POST',
      path: '/sandbox',
      json: {
        ...(snapshot === null ? {} : { snapshot }),
        networkBlockAll: !internet,
        public: false,
        autoStopInterval: idleMinutes,
        autoDeleteInterval: 0,
      },
    },
    state,
  )
  return { id, toolbox: toolboxProxyUrl ?? null }
}

/** One Daytona sandbox. */
export class DaytonaSandbox {
  readonly #context: ProviderContext
  readonly #id: string
  readonly #toolbox: Pick<Call, 'host' | 'address'>

  constructor(context: ProviderContext, { id, toolbox }: Created) {
    this.#context = context
    this.#id = encodeURIComponent(id)
    this.#toolbox = toolbox === null || toolbox === daytona.hosts.toolbox ? { host: 'toolbox' } : { address: toolbox }
  }

  /** Waits until it runs. Throws Fault `broken` when it never will. */
  async started(): Promise<void> {
    await poll(this.#context, {
      ask: (own) => own.api.json({ path: `/sandbox/${this.#id}` }, state),
      read: ({ state: found = '' }) => {
        if (found === 'started') return { state: 'done', result: null }
        if (!LOST.includes(found)) return { state: 'running', step: 'waiting for the sandbox' }
        return { state: 'failed', fault: new Fault('broken', 'The Daytona sandbox did not start.', { internal: `state ${found}` }) }
      },
      firstMs: FIRST_WAIT_MS,
      mostMs: LONGEST_WAIT_MS,
    })
  }

  async write(name: string, data: Uint8Array): Promise<void> {
    await this.#context.api.text({
      method: 'POST',
      ...this.#toolbox,
      path: `/${this.#id}/files/upload`,
      query: { path: `${FOLDER}/${name}` },
      multipart: [{ name: 'file', filename: name, data, contentType: 'application/octet-stream' }],
    })
  }

  async read(name: string, maxBytes: number): Promise<Uint8Array> {
    const { bytes } = await this.#context.api.bytes({
      ...this.#toolbox,
      path: `/${this.#id}/files/download`,
      query: { path: `${FOLDER}/${name}` },
      maxBytes,
    })
    return bytes
  }

  /** Regular files of the work folder. */
  async list(): Promise<Entry[]> {
    const entries = await this.#context.api.json({ ...this.#toolbox, path: `/${this.#id}/files`, query: { path: FOLDER } }, listing)
    return entries
      .filter(({ isDir }) => isDir !== true)
      .map(({ name, size = 0, modTime = '' }) => ({ name, size, stamp: `${size} ${modTime}` }))
  }

  /** Creates the work folder. */
  async prepare(): Promise<void> {
    const { exitCode } = await this.execute(`mkdir -p ${FOLDER}`, { seconds: 10 })
    if (exitCode !== 0) throw new Fault('broken', 'The Daytona sandbox has no place for the program.')
  }

  /** Runs a command; both streams are mixed in `result`. */
  async execute(
    command: string,
    { seconds, inside = false }: { seconds: number; inside?: boolean },
  ): Promise<{ exitCode: number; result: string }> {
    const { exitCode, result } = await this.#context.api.json(
      {
        method: 'POST',
        ...this.#toolbox,
        path: `/${this.#id}/process/execute`,
        json: { command, ...(inside ? { cwd: FOLDER } : {}), timeout: seconds },
      },
      executed,
    )
    if (exitCode === -1)
      throw new Fault('broken', 'The Daytona sandbox could not start the program.', { internal: (result ?? '').slice(0, 500) })
    return { exitCode, result: result ?? '' }
  }

  async remove(): Promise<void> {
    await this.#context.api.text({ method: 'DELETE', path: `/sandbox/${this.#id}` })
  }
}
