import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../runtime/low-priority.js'
import { toWire } from './fault-wire.js'
import { ownTimes } from './work-time.js'

/** Asks for an answer, or with `prepare` only that the module be imported. */
interface Message {
  readonly href: string
  readonly input?: unknown
  readonly prepare?: true
}

/** What a worker thread does: imports the module once, says that it begins, then answers each input with the result of its default export. */
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
