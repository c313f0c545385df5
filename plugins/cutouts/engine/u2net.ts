import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isRecord } from '../../../core/sdk/json.js'
import type { EngineAnswer } from '../../_shared/engine-process.js'

/** Mean and deviation of the three channels in the model's training. */
const MEAN = [0.485, 0.456, 0.406] as const
const DEVIATION = [0.229, 0.224, 0.225] as const
/** A mask with a smaller range of values is empty. */
const LEAST_RANGE = 1e-6

/** Loads the model: the folder of the pack, the ONNX file, the side of a picture in pixels. */
export async function open([pack = '', model = '', pixels = '']: readonly string[]): Promise<EngineAnswer> {
  const side = Number(pixels)
  const { Tensor, session, input, output } = await loaded(pack, model)
  return async (_input, bytes) => {
    if (bytes.length !== side * side * 3) throw new Error(`${bytes.length} bytes are no picture of ${side} x ${side}`)
    const tensor: unknown = Reflect.construct(Tensor, ['float32', normalised(bytes, side), [1, 3, side, side]])
    const results: unknown = await Reflect.apply(session.run, session.self, [{ [input]: tensor }, [output]])
    const data = isRecord(results) ? member(results[output], 'data') : undefined
    if (!(data instanceof Float32Array) || data.length !== side * side) throw new Error('the model gives no mask of the size of its input')
    return { result: {}, bytes: stretched(data) }
  }
}

type Callable = (...given: never[]) => unknown

/** The runtime has no types here: it is a file of the pack, not a dependency of the project. */
async function loaded(pack: string, model: string) {
  const ort: unknown = await import(pathToFileURL(join(pack, 'ort', 'ort.wasm.min.mjs')).href)
  const wasm = member(member(ort, 'env'), 'wasm')
  if (typeof wasm !== 'object' || wasm === null) throw new Error('the runtime has no WebAssembly')
  Reflect.set(wasm, 'numThreads', 1)
  Reflect.set(wasm, 'wasmPaths', pathToFileURL(`${join(pack, 'ort')}/`).href)
  // Otherwise the runtime would fetch it.
  Reflect.set(wasm, 'wasmBinary', await readFile(join(pack, 'ort', 'ort-wasm-simd-threaded.wasm')))
  const sessions = member(ort, 'InferenceSession')
  const options = { executionProviders: ['wasm'], graphOptimizationLevel: 'all' }
  const self: unknown = await Reflect.apply(called(member(sessions, 'create')), sessions, [await readFile(model), options])
  const [input, output] = ['inputNames', 'outputNames'].map((name) => firstOf(member(self, name)))
  if (input === undefined || output === undefined) throw new Error('the model has no input or no output')
  return { Tensor: called(member(ort, 'Tensor')), session: { self, run: called(member(self, 'run')) }, input, output }
}

function member(value: unknown, name: string): unknown {
  return (typeof value === 'object' && value !== null) || typeof value === 'function' ? Reflect.get(value, name) : undefined
}

function firstOf(names: unknown): string {
  const list: readonly unknown[] = Array.isArray(names) ? names : []
  const [name] = list
  if (typeof name !== 'string') throw new Error('the model names no input or output')
  return name
}

function isCallable(value: unknown): value is Callable {
  return typeof value === 'function'
}

function called(value: unknown): Callable {
  if (!isCallable(value)) throw new Error('the runtime lacks a function')
  return value
}

/** Planes of the three channels, with values divided by the largest of the picture. */
function normalised(bytes: Uint8Array, side: number): Float32Array {
  const most = Math.max(
    1,
    bytes.reduce((best, value) => Math.max(best, value), 0),
  )
  const planes = new Float32Array(bytes.length)
  for (const channel of [0, 1, 2] as const)
    for (let at = 0; at < side * side; at++)
      planes[channel * side * side + at] = ((bytes[at * 3 + channel] ?? 0) / most - MEAN[channel]) / DEVIATION[channel]
  return planes
}

/** The mask stretched from its smallest value (0) to its largest (255). */
function stretched(mask: Float32Array): Uint8Array {
  const [least, most] = mask.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  )
  const range = most - least
  return Uint8Array.from(mask, (value) => (range < LEAST_RANGE ? 0 : Math.round(((value - least) / range) * 255)))
}
