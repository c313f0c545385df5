import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ExecOptions } from '../sdk/index.js'

/** The transfer of a program's standard input. */
interface Feed {
  /** Rejects with the error of the source. A program that closes its input before the end is not a failure. */
  settled(): Promise<void>
}

/** Writes a program's standard input; calls back when the source fails, since a partial input is useless. */
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
  // Errors of the pipe itself show in the end of the program.
  const done = pipeline(Readable.from(source()), stdin).catch(() => undefined)
  return {
    settled: async () => {
      stdin.destroy()
      await done
      if (failure !== null) throw failure.error
    },
  }
}
