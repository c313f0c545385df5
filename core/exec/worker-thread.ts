import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../low-priority.js'
import { toWire } from './fault-wire.js'

/** Asks for an answer, or with `prepare` only that the module be imported. */
interface Message {
  readonly href: string
  readonly input?: unknown
  readonly prepare?: true
}

/** What a worker thread does: imports the module once, then answers each input with the result of its default export. */
async function answer(href: string, input: unknown): Promise<unknown> {
  try {
    const loaded: unknown = await import(href)
    const work = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined
    if (typeof work !== 'function') throw new Error(`${href} has no function as its default export`)
    const result: unknown = await Reflect.apply(work, undefined, [input])
    return { ok: true, result }
  } catch (error) {
    return { ok: false, error: toWire(error) }
  }
}

lowerPriority()

parentPort?.on('message', ({ href, input, prepare }: Message) => {
  // Whoever asks for its work is told why a module cannot be imported.
  if (prepare === true) return void import(href).catch(() => undefined)
  void answer(href, input).then((reply) => {
    try {
      parentPort?.postMessage(reply)
    } catch (error) {
      // A result that cannot be cloned.
      parentPort?.postMessage({ ok: false, error: toWire(error) })
    }
  })
})
