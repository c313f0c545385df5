import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ExecOptions } from '../sdk/index.js'

/** Standard input of a program on its way. */
interface Feed {
  /** Throws what the source of the bytes failed with. A program that ends, or closes its input, before all was read is no failure. */
  settled(): Promise<void>
}

/** Gives a program its standard input; calls back when the source fails, since half of an input is none. */
export function feed(stdin: Writable, data: ExecOptions['stdin'], onFailure: () => void): Feed {
  if (data === undefined || data instanceof Uint8Array) {
    stdin.end(data ?? Buffer.alloc(0))
    return { settled: () => Promise.resolve() }
  }
  let failure: { readonly error: unknown } | null = null
  const source = async function* (): AsyncGenerator<Uint8Array> {
    const pieces = data[Symbol.asyncIterator]()
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      try {
        return await pieces.next()
      } catch (error) {
        failure = { error }
        onFailure()
        return { done: true, value: undefined }
      }
    }
    try {
      for (let step = await next(); step.done !== true; step = await next()) yield step.value
    } finally {
      await pieces.return?.()
    }
  }
  // What the pipe itself ends with is told by the program's own end.
  const done = pipeline(Readable.from(source()), stdin).catch(() => undefined)
  return {
    settled: async () => {
      stdin.destroy()
      await done
      if (failure !== null) throw failure.error
    },
  }
}
