import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Most characters reported of one line. */
const LONGEST = 1000

/** The delivery of lines to a listener. */
export interface Listening {
  /** Throws the error of the listener. */
  settled(): void
}

/**
 * Passes each line of a stream to the listener as it arrives, without its end (LF, CR or both) and cut at 1,000 characters; empty ones are
 * omitted. Once the listener throws it is no longer called, and `onFailure` is called.
 */
export function listen(stream: Readable, onLine: (line: string) => void, onFailure: () => void): Listening {
  const decoder = new StringDecoder('utf8')
  let part = ''
  let failure: { readonly error: unknown } | null = null
  const tell = (line: string): void => {
    if (line === '' || failure !== null) return
    try {
      onLine(line)
    } catch (error) {
      failure = { error }
      onFailure()
    }
  }
  stream.on('data', (chunk: Buffer) => {
    const [first = '', ...others] = decoder.write(chunk).split(/[\r\n]/)
    part = (part + first).slice(0, LONGEST)
    for (const next of others) {
      tell(part)
      part = next.slice(0, LONGEST)
    }
  })
  return {
    settled: () => {
      tell(part)
      part = ''
      if (failure !== null) throw failure.error
    },
  }
}
