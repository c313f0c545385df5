import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'

/**
 * How a server fails: `hang` accepts and does not answer, `slow` answers after 250 ms, `drip` sends a byte every 20 ms,
 * `garbage` sends meaningless bytes, `cut` closes the connection in the middle of the answer.
 */
export type ServerFault = 'hang' | 'slow' | 'drip' | 'garbage' | 'cut'

const SLOW_MS = 250
const DRIP_MS = 20
const GARBAGE = Buffer.from([0x00, 0xff, 0xfe, 0x3c, 0x3c, 0x3c, 0x0d, 0x0a, 0x80, 0x01, 0x7b, 0x0d, 0x0a, 0x0d, 0x0a])

/** The faults of the next answers of a server. */
export class Faults {
  readonly #next: ServerFault[] = []
  #always: ServerFault | null = null

  /** Applies these faults to the next answers, in order, one each. */
  readonly fail = (...faults: readonly ServerFault[]): void => void this.#next.push(...faults)

  /** Applies this fault to every answer, until it is called with null. */
  readonly failAlways = (fault: ServerFault | null): void => void (this.#always = fault)

  /** The fault of this answer; null for none. */
  take(): ServerFault | null {
    return this.#next.shift() ?? this.#always
  }
}

/** Sends an answer, changed by the fault, and ends the stream. */
export function deliver(stream: Writable, answer: Uint8Array, fault: ServerFault | null): void {
  if (fault === 'hang') return
  if (fault === 'slow') return void setTimeout(() => stream.end(answer), SLOW_MS)
  if (fault === 'drip') return drip(stream, answer)
  if (fault === 'garbage') return void stream.end(GARBAGE)
  if (fault === 'cut') return void stream.write(answer.subarray(0, Math.ceil(answer.length / 2)), () => stream.destroy())
  stream.end(answer)
}

/** The same for an answer over HTTP. `cut` and `drip` apply to its body, `garbage` is not HTTP. */
export function deliverHttp(response: ServerResponse, status: number, given: DeliveredReply, fault: ServerFault | null): void {
  const { headers = {}, body } = given
  if (fault === 'hang') return
  if (fault === 'garbage') return void response.socket?.end(GARBAGE)
  if (fault === 'slow') return void setTimeout(() => deliverHttp(response, status, given, null), SLOW_MS)
  response.writeHead(status, { 'content-length': body.length, ...headers })
  // Otherwise the status line would wait for an end that never comes.
  if (fault !== null) response.flushHeaders()
  deliver(response, body, fault)
}

/** Headers and body of an answer over HTTP. */
export interface DeliveredReply {
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

function drip(stream: Writable, answer: Uint8Array): void {
  let at = 0
  const timer = setInterval(() => {
    if (stream.destroyed) return clearInterval(timer)
    if (at < answer.length) return void stream.write(answer.subarray(at, ++at))
    clearInterval(timer)
    stream.end()
  }, DRIP_MS)
}
