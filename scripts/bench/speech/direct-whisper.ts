import { join } from 'node:path'
import { packageRoot } from '../../../core/runtime/root.js'
import { SchemaCompiler } from '../../../core/sdk/index.js'
import type { Answer } from '../../../plugins/transcription/contract.js'
import { readWhisper, whisperReply } from '../../../plugins/transcription/whisper-reply.js'
import { withEngine } from '../direct-engine.js'

const shape = new SchemaCompiler().compile(whisperReply)

/**
 * Writes down samples of 16 bits at 16,000 a second of any length; null where nobody speaks. `duration` in seconds. English is for tiny.en, null for base,
 * which finds the language out.
 */
export type Listen = (samples: Uint8Array, duration: number, language?: 'en' | null) => Promise<Answer | null>

/** The engine of the plugin in a process of its own, so that no call ends before a long recording; ended after the work. */
export async function withWhisper<T>(work: (listen: Listen) => Promise<T>): Promise<T> {
  const [plugins, pack] = [join(packageRoot(), 'plugins'), join(packageRoot(), '.tools', 'whisper')]
  const [own, module] = [join(plugins, '_shared', 'engine_process.py'), join(plugins, 'transcription', 'engine', 'whisper.py')]
  const command = ['python3', '-IB', own, join(pack, 'lib'), module, join(pack, 'tiny.en'), join(pack, 'base')]
  return await withEngine(command, { OMP_NUM_THREADS: '2', HF_HUB_OFFLINE: '1' }, (request) =>
    work(async (samples, duration, language = 'en') => {
      const { result } = await request({ language }, samples)
      if (!shape.check(result)) throw new Error(`Whisper answered in another form: ${shape.explain()}`)
      return readWhisper(result, { duration, language, timed: true })
    }),
  )
}
