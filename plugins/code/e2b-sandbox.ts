import { Fault, Type, type Call, type ProviderContext } from '../../core/sdk/index.js'
import { e2b } from '../_vendors/e2b.js'
import { frameOf, framesOf } from './connect.js'

/** Port of the daemon in a sandbox that transfers files and starts processes. */
const DAEMON_PORT = '49983'
/** Sandboxes of this domain are reached through one common host. */
const USUAL_DOMAIN = 'e2b.app'
const FOLDER = '/home/user/job'
/** The daemon takes the user from Basic authentication without a password. */
const USER = 'user'
const LOGIN = `Basic ${Buffer.from(`${USER}:`).toString('base64')}`

const listing = Type.Object({
  entries: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.Optional(Type.String()),
        /** Bytes; 64-bit numbers are strings in this protocol's JSON. */
        size: Type.Optional(Type.Union([Type.String(), Type.Number()])),
        modifiedTime: Type.Optional(Type.String()),
      }),
    ),
  ),
})

export interface Entry {
  readonly name: string
  readonly size: number
  /** Changes with the file. */
  readonly stamp: string
}

interface ProcessEnd {
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: Buffer
}

/** One E2B sandbox, reached through its daemon. Requests use only the access token of this sandbox. */
export class E2bSandbox {
  readonly #context: ProviderContext
  readonly #place: Pick<Call, 'host' | 'address'>
  readonly #headers: Readonly<Record<string, string>>

  constructor(context: ProviderContext, sandbox: { readonly id: string; readonly token: string | null; readonly domain: string | null }) {
    this.#context = context
    const usual = sandbox.domain === null || sandbox.domain === USUAL_DOMAIN || context.baseUrl !== e2b.baseUrl
    this.#place = usual ? { host: 'sandbox' } : { address: `https://${DAEMON_PORT}-${sandbox.id}.${sandbox.domain}` }
    this.#headers = {
      'e2b-sandbox-id': sandbox.id,
      'e2b-sandbox-port': DAEMON_PORT,
      authorization: LOGIN,
      ...(sandbox.token === null ? {} : { 'x-access-token': sandbox.token }),
    }
  }

  /** Writes a file into the work folder, which the first write creates. */
  async write(name: string, data: Uint8Array): Promise<void> {
    await this.#context.api.bytes(
      this.#call({
        method: 'POST',
        path: '/files',
        query: { path: `${FOLDER}/${name}`, username: USER },
        multipart: [{ name: 'file', filename: name, data, contentType: 'application/octet-stream' }],
      }),
    )
  }

  async read(name: string, maxBytes: number): Promise<Uint8Array> {
    const { bytes } = await this.#context.api.bytes(
      this.#call({ path: '/files', query: { path: `${FOLDER}/${name}`, username: USER }, maxBytes }),
    )
    return bytes
  }

  /** Regular files of the work folder. */
  async list(): Promise<Entry[]> {
    const { entries = [] } = await this.#context.api.json(
      this.#call({ method: 'POST', path: '/filesystem.Filesystem/ListDir', json: { path: FOLDER, depth: 1 } }),
      listing,
    )
    return entries
      .filter(({ type }) => type === 'FILE_TYPE_FILE')
      .map(({ name, size = 0, modifiedTime = '' }) => ({ name, size: Number(size), stamp: `${size} ${modifiedTime}` }))
  }

  /** Runs a bash script in the work folder and waits for its end. */
  async run(script: string): Promise<ProcessEnd> {
    const message = { process: { cmd: '/bin/bash', args: ['-l', '-c', script], cwd: FOLDER } }
    const call = this.#call({
      method: 'POST',
      path: '/process.Process/Start',
      bytes: { data: frameOf(message), contentType: 'application/connect+json' },
    })
    const { bytes } = await this.#context.api.bytes({ ...call, headers: { ...call.headers, 'connect-protocol-version': '1' } })
    return ended(bytes)
  }

  #call(call: Call): Call {
    return { ...call, ...this.#place, headers: this.#headers }
  }
}

/** The events of a process: data in base64, and an end event, in which `exitCode` is absent when it is 0. */
function ended(bytes: Uint8Array): ProcessEnd {
  const streams: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] }
  let code: number | null = null
  for (const { last, message } of readFrames(bytes)) {
    const error = record(record(message)['error'])
    if (last && error['code'] !== undefined)
      throw new Fault('broken', 'The E2B sandbox ended the program early.', { internal: JSON.stringify(error).slice(0, 500) })
    const event = record(record(message)['event'])
    const data = record(event['data'])
    for (const name of ['stdout', 'stderr'] as const) {
      const text = data[name]
      if (typeof text === 'string') streams[name].push(Buffer.from(text, 'base64'))
    }
    if (event['end'] === undefined) continue
    const found = record(event['end'])['exitCode'] ?? record(event['end'])['exit_code'] ?? 0
    code = typeof found === 'number' ? found : 1
  }
  if (code === null) throw new Fault('broken', 'The E2B sandbox did not report how the program ended.')
  return { code, stdout: Buffer.concat(streams.stdout), stderr: Buffer.concat(streams.stderr) }
}

function readFrames(bytes: Uint8Array): ReturnType<typeof framesOf> {
  try {
    return framesOf(bytes)
  } catch (error) {
    throw new Fault('broken', 'The E2B sandbox answered in a form that is not understood.', { cause: error })
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}
