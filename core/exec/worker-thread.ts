import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../runtime/low-priority.js'
import { toWire } from './fault-wire.js'

/** Asks for an answer, or with `prepare` only that the module be imported; with `load` an answer says when it is. */
interface Message {
  readonly href: string
  readonly input?: unknown
  readonly prepare?: true
  readonly load?: true
}

/** What a worker thread does: imports the module once, then answers each input with the result of its default export. */
async function answer({ href, input, load }: Message): Promise<unknown> {
  try {
    const loaded: unknown = await import(href)
    if (load === true) return { ok: true, result: null }
    const work = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined
    if (typeof work !== 'function') throw new Error(`${href} has no function as its default export`)
    const result: unknown = await Reflect.apply(work, undefined, [input])
    return { ok: true, result }
  } catch (error) {
    return { ok: false, error: toWire(error) }
  }
}

lowerPriority()

parentPort?.on('message', (message: Message) => {
  // Whoever asks for its work is told why a module cannot be imported.
  if (message.prepare === true) return void import(message.href).catch(() => undefined)
  void answer(message).then((reply) => {
    try {
      parentPort?.postMessage(reply)
    } catch (error) {
      // A result that cannot be cloned.
      parentPort?.postMessage({ ok: false, error: toWire(error) })
    }
  })
})
