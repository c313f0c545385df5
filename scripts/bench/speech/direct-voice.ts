import { join } from 'node:path'
import { packageRoot } from '../../../core/runtime/root.js'
import { SchemaCompiler, Type } from '../../../core/sdk/index.js'
import { joined, type Part } from '../../../plugins/speech/sound/join.js'
import { writeWav } from '../../../plugins/speech/sound/wav.js'
import { sentences } from '../../../plugins/speech/text/sentences.js'
import { wordsFor } from '../../../plugins/speech/text/words.js'
import { withEngine } from '../direct-engine.js'

/** Characters of one question to the engine, as in its provider. */
const MOST_CHARACTERS = 300
const answer = new SchemaCompiler().compile(Type.Object({ sample_rate: Type.Integer() }))

/** Speaks an English text as the provider of the neural voice does; a WAV file. */
export type Speak = (text: string) => Promise<Uint8Array>

/** The engine of the neural voice in a process of its own, without a gateway; ended after the work. */
export async function withVoice<T>(work: (speak: Speak) => Promise<T>): Promise<T> {
  const [pack, built] = [join(packageRoot(), '.tools', 'voice'), join(packageRoot(), 'dist', 'plugins')]
  const command = [process.execPath, join(built, '_shared', 'engine-process.js'), join(built, 'speech', 'engine', 'voice.js'), pack]
  return await withEngine(command, {}, (request) =>
    work(async (text) => {
      const parts: Part[] = []
      for (const piece of sentences(wordsFor(text, 'en'), { language: 'en', most: MOST_CHARACTERS })) {
        const { result, bytes } = await request({ text: piece.text, voice: join(pack, 'en_US-joe-medium.onnx') })
        if (!answer.check(result)) throw new Error(`the voice answered in another form: ${answer.explain()}`)
        parts.push({ rate: result.sample_rate, samples: new Int16Array(bytes.slice().buffer), endsParagraph: piece.endsParagraph })
      }
      return writeWav(joined(parts))
    }),
  )
}
