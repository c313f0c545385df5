import { Fault } from '../sdk/index.js'
import { fromWire } from './fault-wire.js'
import type { JobEnd } from './job.js'
import { sandboxFailed } from './run.js'
import type { Stop } from './supervise.js'

/** Largest JSON answer of a module, in bytes. */
export const MAX_ANSWER = 20 * 1024 * 1024
const UNREADABLE = 'the file could not be read'

/** The end and output of a parser process. */
interface EndedReading {
  readonly end: JobEnd
  readonly stopped: Stop | null
  readonly outOfMemory: boolean
  readonly stdout: Buffer
  readonly stderr: Buffer
}

/** The module's answer. Throws the Fault of a failed end: `blocked` because of the file, `broken` of the sandbox. */
export function readAnswer({ end, stopped, outOfMemory, stdout, stderr }: EndedReading): unknown {
  const internal = `code ${end.code}: ${stderr.toString('utf8').slice(0, 500)}`
  if (stopped === 'time') throw new Fault('blocked', 'the file took too long to read', { costly: true })
  if (stopped === 'aborted') throw new Fault('busy', 'the call was over before the file was read')
  if (stopped === 'output') throw new Fault('blocked', `the content of the file is larger than ${MAX_ANSWER / 1024 / 1024} MiB`)
  if (!end.started && stopped === null) throw sandboxFailed(end, stderr)
  if (stopped === 'memory' || stderr.includes('heap out of memory') || (end.code !== 0 && outOfMemory))
    throw new Fault('blocked', 'the file needs too much memory to read', { internal, costly: true })
  if (end.code !== 0) throw new Fault('blocked', UNREADABLE, { internal })
  return unwrap(stdout, internal)
}

function unwrap(bytes: Buffer, internal: string): unknown {
  let reply: unknown
  try {
    reply = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new Fault('broken', UNREADABLE, { internal, cause: error })
  }
  if (typeof reply === 'object' && reply !== null && 'ok' in reply && reply.ok === true && 'result' in reply) return reply.result
  throw fromWire(typeof reply === 'object' && reply !== null && 'error' in reply ? reply.error : reply, UNREADABLE)
}
