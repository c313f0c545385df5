import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foreignJson, isRecord } from '../../../core/sdk/json.js'
import type { OpenEngine } from '../../_shared/engine-process.js'
import { modelMetadata, tokenList, voiceFacts } from './model-file.js'

/** Where distributions install the data of eSpeak NG. */
const DATA = [
  ...['x86_64-linux-gnu', 'aarch64-linux-gnu', 'arm-linux-gnueabihf'].map((machine) => `/usr/lib/${machine}/espeak-ng-data`),
  ...['/usr/lib/espeak-ng-data', '/usr/lib64/espeak-ng-data', '/usr/share/espeak-ng-data'],
]

/** A loaded voice: takes a text, returns 16-bit samples and their rate. */
type Voice = (text: string) => { readonly samples: Int16Array; readonly rate: number }

/** Started with the folder of the pack. Keeps one voice loaded, the last one requested. */
export const open: OpenEngine = ([folder = '']) => {
  const sherpa: unknown = createRequire(join(folder, 'engine.js'))('sherpa-onnx-node')
  let held: { readonly path: string; readonly voice: Voice } | null = null
  return async (input) => {
    const { text, path } = wanted(input)
    if (held?.path !== path) {
      held = null
      held = { path, voice: await loaded(sherpa, path) }
    }
    const { samples, rate } = held.voice(text)
    return { result: { sample_rate: rate }, bytes: new Uint8Array(samples.buffer) }
  }
}

/** Loads a voice. sherpa-onnx requires metadata in the file itself, so it gets a copy, which is deleted after loading. */
async function loaded(sherpa: unknown, path: string): Promise<Voice> {
  const dataDir = DATA.find((place) => existsSync(place))
  if (dataDir === undefined) throw new Error('the data of eSpeak NG is not installed (Debian package espeak-ng-data)')
  const facts = voiceFacts(foreignJson(await readFile(`${path}.json`)))
  const folder = await mkdtemp(join(tmpdir(), 'voice-'))
  const [model, tokens] = [join(folder, 'voice.onnx'), join(folder, 'tokens.txt')]
  try {
    await writeFile(tokens, tokenList(facts))
    await writeFile(model, [await readFile(path), modelMetadata(facts)])
    const vits = { model, tokens, dataDir, noiseScale: 0.667, noiseScaleW: 0.8, lengthScale: 1 }
    return voiceOf(sherpa, { model: { vits, numThreads: 1, provider: 'cpu', debug: 0 }, maxNumSentences: 1 })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * `new OfflineTts(config)` and its `generate` (https://k2-fsa.github.io/sherpa/onnx/javascript-api/index.html). The
 * runtime has no types here: it is part of the pack, not a dependency of the project.
 */
function voiceOf(sherpa: unknown, config: unknown): Voice {
  const voice: unknown = Reflect.construct(called(sherpa, 'OfflineTts'), [config])
  const generate = called(voice, 'generate')
  return (text) => {
    const sound: unknown = Reflect.apply(generate, voice, [{ text, sid: 0, speed: 1 }])
    const { samples, sampleRate: rate } = isRecord(sound) ? sound : {}
    if (!(samples instanceof Float32Array) || typeof rate !== 'number') throw new Error('the runtime returned no samples')
    return { samples: Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767)), rate }
  }
}

type Callable = (...given: never[]) => unknown

function called(of: unknown, name: string): Callable {
  const value: unknown = typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined
  if (!isCallable(value)) throw new Error(`the runtime has no ${name}`)
  return value
}

function isCallable(value: unknown): value is Callable {
  return typeof value === 'function'
}

function wanted(input: unknown): { readonly text: string; readonly path: string } {
  const { text, voice } = isRecord(input) ? input : {}
  if (typeof text !== 'string' || typeof voice !== 'string') throw new TypeError('the question names no text and voice')
  return { text, path: voice }
}
