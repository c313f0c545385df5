import { readFile, unlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenEngine } from '../../_shared/engine-process.js'
import { modelMetadata, tokenList, voiceFacts } from './model-file.js'

/** The part of sherpa-onnx-node that is used (https://k2-fsa.github.io/sherpa/onnx/javascript-api/index.html). */
interface Sherpa {
  readonly OfflineTts: new (config: unknown) => {
    generate(request: { readonly text: string; readonly sid: number; readonly speed: number }): {
      readonly samples: Float32Array
      readonly sampleRate: number
    }
  }
}

/** Words: the folder of node_modules, the voice's ONNX file, the data of espeak-ng. Answers `{ text }` by the sample rate and samples of 16 bit. */
export const open: OpenEngine = async ([folder = '', model = '', data = '']) => {
  const facts = voiceFacts(JSON.parse(await readFile(`${model}.json`, 'utf8')))
  const [withFacts, tokens] = [join(tmpdir(), 'voice.onnx'), join(tmpdir(), 'tokens.txt')]
  await writeFile(tokens, tokenList(facts))
  await writeFile(withFacts, Buffer.concat([await readFile(model), modelMetadata(facts)]))
  const sherpa: Sherpa = createRequire(join(folder, 'engine.js'))('sherpa-onnx-node')
  const vits = { model: withFacts, tokens, dataDir: data, noiseScale: 0.667, noiseScaleW: 0.8, lengthScale: 1 }
  const voice = new sherpa.OfflineTts({ model: { vits, numThreads: 1, provider: 'cpu', debug: 0 }, maxNumSentences: 1 })
  await unlink(withFacts)
  return async (input) => {
    const { samples, sampleRate } = voice.generate({ text: textOf(input), sid: 0, speed: 1 })
    const pcm = Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767))
    return await Promise.resolve({ result: { sample_rate: sampleRate }, bytes: new Uint8Array(pcm.buffer) })
  }
}

function textOf(input: unknown): string {
  if (typeof input === 'object' && input !== null && 'text' in input && typeof input.text === 'string') return input.text
  throw new TypeError('the input has no text')
}
