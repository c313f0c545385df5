import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { packageRoot } from '../../../core/runtime/root.js'
import { SchemaCompiler } from '../../../core/sdk/index.js'
import { frameOf, framesOf } from '../../../plugins/_shared/engine-frames.js'
import type { Answer } from '../../../plugins/transcription/contract.js'
import { readWhisper, whisperReply } from '../../../plugins/transcription/whisper-reply.js'

const shape = new SchemaCompiler().compile(whisperReply)

/** Writes down samples of 16 bits at 16,000 a second, English, of any length; null where nobody speaks. `duration` in seconds. */
export type Listen = (samples: Uint8Array, duration: number) => Promise<Answer | null>

/** The engine of the plugin in a process of its own, without a gateway, so that no call ends before a long recording; ended after the work. */
export async function withWhisper<T>(work: (listen: Listen) => Promise<T>): Promise<T> {
  const [plugins, pack] = [join(packageRoot(), 'plugins'), join(packageRoot(), '.tools', 'whisper')]
  const [own, module] = [join(plugins, '_shared', 'engine_process.py'), join(plugins, 'transcription', 'engine', 'whisper.py')]
  const words = ['-IB', own, join(pack, 'lib'), module, join(pack, 'tiny.en'), join(pack, 'base')]
  const engine = spawn('python3', words, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, OMP_NUM_THREADS: '2', HF_HUB_OFFLINE: '1' },
  })
  const ended = once(engine, 'exit')
  const frames = framesOf(engine.stdout)
  const answer = async (): Promise<Record<string, unknown>> => {
    for (let next = await frames.next(); next.done !== true; next = await frames.next()) {
      const header = next.value.header as Record<string, unknown>
      if (!('event' in header)) return header
    }
    throw new Error('the engine ended')
  }
  try {
    await answer()
    return await work(async (samples, duration) => {
      engine.stdin.write(frameOf({ language: 'en' }, samples))
      const { result, error } = await answer()
      if (!shape.check(result)) throw new Error(`the engine answered ${String(error)}`)
      return readWhisper(result, { duration, language: 'en', timed: true })
    })
  } finally {
    engine.stdin.end()
    await ended
  }
}
