import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../runtime/threads.js'
import { toWire } from './fault-wire.js'
import { ownTimes } from './work-time.js'

/** Requests an answer, or with `prepare` only the import of the module. */
interface Message {
  readonly href: string
  readonly input?: unknown
  readonly prepare?: true
}

/** Imports the module once, reports the start, then answers each input with the result of its default export. */
async function answer({ href, input }: Message): Promise<unknown> {
  try {
    const loaded: unknown = await import(href)
    const work = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined
    if (typeof work !== 'function') throw new Error(`${href} has no function as its default export`)
    parentPort?.postMessage({ began: ownTimes() })
    const result: unknown = await Reflect.apply(work, undefined, [input])
    return { ok: true, result }
  } catch (error) {
    return { ok: false, error: toWire(error) }
  }
}

lowerPriority()

parentPort?.on('message', (message: Message) => {
  // The first work of the module reports a failed import.
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
