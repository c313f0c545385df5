import { pathToFileURL } from 'node:url'
import { isRecord } from '../../core/sdk/json.js'
import { frameOf, framesOf } from './engine-frames.js'

/** The result of one request to an engine. */
export interface EngineResult {
  /** Any JSON value. */
  readonly result: unknown
  readonly bytes?: Uint8Array
}

/**
 * Handles a request; `emit` sends an event meanwhile. An error with `kind` `missing` or `invalid` is a refusal; its
 * message is for the caller.
 */
export type EngineAnswer = (input: unknown, bytes: Uint8Array, emit: (event: unknown) => void) => Promise<EngineResult> | EngineResult

/** The export `open` of an engine's module: loads its model with the arguments of the process. */
export type OpenEngine = (args: readonly string[]) => Promise<EngineAnswer> | EngineAnswer

const REFUSALS = ['missing', 'invalid']

/** Runs inside the sandbox: opens the engine of the module in the first argument and handles requests until standard input ends. */
async function main(): Promise<void> {
  const write = process.stdout.write.bind(process.stdout)
  const send = (header: unknown, bytes?: Uint8Array): Promise<unknown> => new Promise((resolve) => write(frameOf(header, bytes), resolve))
  // Output printed by a library would corrupt the responses.
  process.stdout.write = process.stderr.write.bind(process.stderr)
  const [path = '', ...args] = process.argv.slice(2)
  const module: unknown = await import(pathToFileURL(path).href)
  const answer = await opened(module, path, args)
  await send({ ready: true })
  for await (const { header, bytes } of framesOf(process.stdin))
    try {
      const made: unknown = await Reflect.apply(answer, undefined, [header, bytes, (event: unknown) => void send({ event })])
      const [result, data] = isRecord(made) ? [made.result, made.bytes] : [null, undefined]
      await send({ result: result ?? null, rss: process.memoryUsage.rss() }, data instanceof Uint8Array ? data : undefined)
    } catch (error) {
      await send({ refused: refusalOf(error), error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
}

async function opened(module: unknown, path: string, args: readonly string[]): Promise<(...given: never[]) => unknown> {
  const open: unknown = typeof module === 'object' && module !== null ? Reflect.get(module, 'open') : undefined
  if (typeof open !== 'function') throw new Error(`${path} has no export open`)
  const answer: unknown = await Reflect.apply(open, undefined, [args])
  if (!isFunction(answer)) throw new Error(`open of ${path} gives no function`)
  return answer
}

function isFunction(value: unknown): value is (...given: never[]) => unknown {
  return typeof value === 'function'
}

function refusalOf(error: unknown): { kind: string; message: string } | null {
  if (!(error instanceof Error) || !('kind' in error) || typeof error.kind !== 'string' || !REFUSALS.includes(error.kind)) return null
  return { kind: error.kind, message: error.message }
}

await main()
process.exit(0)
