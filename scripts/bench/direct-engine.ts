import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isRecord } from '../../core/sdk/index.js'
import { frameOf, framesOf } from '../../plugins/_shared/engine-frames.js'

/** What an engine answers: its result, the memory that it says it holds in MiB (0 where it does not), and bytes. */
export interface DirectAnswer {
  readonly result: unknown
  readonly mib: number
  readonly bytes: Uint8Array
}

export type CallEngine = (input: unknown, bytes?: Uint8Array) => Promise<DirectAnswer>

const MIB = 1024 * 1024

/** Runs an engine of a plugin in a process of its own, without a gateway and its limits of time, and ends it after the work. Throws where it refuses or fails. */
export async function withEngine<T>(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  work: (request: CallEngine) => Promise<T>,
): Promise<T> {
  const [program = '', ...words] = command
  const engine = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } })
  const ended = once(engine, 'exit')
  const frames = framesOf(engine.stdout)
  const answer = async (): Promise<DirectAnswer> => {
    for (let next = await frames.next(); next.done !== true; next = await frames.next()) {
      const { header, bytes } = next.value
      if (!isRecord(header) || 'event' in header) continue
      if ('error' in header) throw new Error(`the engine answered ${String(header['error'])}`)
      return { result: header['result'], mib: Number(header['rss'] ?? 0) / MIB, bytes }
    }
    throw new Error('the engine ended')
  }
  try {
    await answer()
    return await work(async (input, bytes) => {
      engine.stdin.write(frameOf(input, bytes))
      return await answer()
    })
  } finally {
    engine.stdin.end()
    await ended
  }
}
