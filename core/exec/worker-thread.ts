import { parentPort } from 'node:worker_threads'
import { toWire } from './fault-wire.js'

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

parentPort?.on('message', ({ href, input }: { href: string; input: unknown }) => {
  void answer(href, input).then((reply) => {
    try {
      parentPort?.postMessage(reply)
    } catch (error) {
      // A result that cannot be cloned.
      parentPort?.postMessage({ ok: false, error: toWire(error) })
    }
  })
})
