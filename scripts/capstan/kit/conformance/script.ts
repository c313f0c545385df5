import { ScratchFolder } from '../../../../core/files/scratch-folder.js'
import { Fault, type ExecOptions, type ExecResult, type Page } from '../../../../core/sdk/index.js'
import { bytesOf, type FixtureCase, type FixtureFault, type FixtureReply } from './fixture.js'

/** A deviation from the recorded part of a fixture; not a Fault, so that no provider treats it as a vendor's. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
}

/** Recorded entries of one kind; each is used once, concurrent ones in any order. */
export class RecordedCalls<E extends object> {
  readonly #what: string
  readonly #waiting: E[]

  constructor(what: string, entries: readonly E[] | undefined) {
    this.#what = what
    this.#waiting = [...(entries ?? [])]
  }

  /** The first remaining entry for which `fault` returns null; throws ScriptError with the first fault when there is none. */
  take(what: string, fault: (entry: E) => string | null): E {
    let first: string | null = null
    for (const [index, entry] of this.#waiting.entries()) {
      const found = fault(entry)
      if (found === null) {
        this.#waiting.splice(index, 1)
        return entry
      }
      first ??= found
    }
    throw new ScriptError(`${this.#what}: ${what} is not in the fixture${first === null ? '' : ` (${first})`}`)
  }

  /** An unused entry of the fixture as a sentence, or null. */
  left(): string | null {
    return this.#waiting.length === 0 ? null : `${this.#what}: ${JSON.stringify(this.#waiting[0]).slice(0, 200)} was not used`
  }
}

/** Throws the Fault of a fixture, if any. */
export function failing(fault: FixtureFault | undefined): void {
  if (fault !== undefined)
    throw new Fault(fault.kind, `The fixture's ${fault.kind} fault.`, {
      ...(fault.loc === undefined ? {} : { loc: fault.loc }),
      ...(fault.obstacle === undefined ? {} : { obstacle: fault.obstacle }),
    })
}

/** A recorded answer as a page. */
export function pageOf(url: string, { status = 200, headers = {}, json, ...rest }: FixtureReply): Page {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const [type = '', ...parameters] = (lower['content-type'] ?? (json === undefined ? 'text/html; charset=utf-8' : 'application/json'))
    .toLowerCase()
    .split(';')
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='))
  return {
    url,
    status,
    headers: lower,
    contentType: type.trim(),
    charset: charset?.slice('charset='.length).replaceAll('"', '') ?? '',
    bytes: json === undefined ? bytesOf(rest) : Buffer.from(JSON.stringify(json)),
  }
}

interface RecordedRun {
  readonly code?: number
  readonly stdout?: string
  readonly stderr?: string
  readonly stopped?: 'time' | 'memory' | 'output' | 'aborted'
  readonly files?: readonly { readonly name: string; readonly text?: string; readonly base64?: string }[]
  readonly endSeen?: boolean
}

/** A recorded run of a program, completed with defaults. */
export function execResultOf({ code = 0, stdout = '', stderr = '', stopped, files = [], endSeen }: RecordedRun): ExecResult {
  return {
    code,
    stdout: Buffer.from(stdout),
    stderr: Buffer.from(stderr),
    stdoutCut: false,
    stderrCut: false,
    stopped: stopped ?? null,
    bootMs: 0,
    runMs: 1,
    files: files.map((file) => ({ name: file.name, data: bytesOf(file) })),
    scratchFiles: [],
    stdoutFile: null,
    filesLeft: 0,
    ...(endSeen === undefined ? {} : { endSeen }),
  }
}

/** A recorded run with its output and files on the disk, if the options require that. */
export async function storedRun(run: ExecResult, { stdout, collect }: ExecOptions, folder: ScratchFolder): Promise<ExecResult> {
  const stdoutFile = stdout === 'scratch' ? await folder.write([run.stdout]) : null
  if (typeof stdout === 'function') stdout(piece(run.stdout))
  const kept = stdout === undefined ? run : { ...run, stdout: new Uint8Array(), stdoutFile }
  if (collect?.into === undefined) return kept
  const scratchFiles = await Promise.all(run.files.map(async ({ name, data }) => ({ name, file: await folder.write([data]) })))
  return { ...kept, files: [], scratchFiles }
}

/** Bytes as a stream of one chunk. */
export async function* piece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}

/** Files of a fixture's call: the first has the id 00…01, the second 00…02, so that inputs and outputs can name them. */
export function numberedFolder(): ScratchFolder {
  let made = 0
  return new ScratchFolder(64 * 1024 * 1024, () => (++made).toString(16).padStart(32, '0'))
}

/** Writes the files that the input of a fixture names. */
export async function seeded(folder: ScratchFolder, { scratch = [] }: FixtureCase): Promise<void> {
  for (const file of scratch) await folder.write([bytesOf(file)])
}
