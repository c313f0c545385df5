import { createHash } from 'node:crypto'
import type { Clock } from '../../runtime/clock.js'
import { refusal, S3Failure, unreachable } from './failure.js'
import type { S3Signer } from './signer.js'
import type { Transport, TransportReply } from '../../outbound/transport.js'

const TRIES = 3
const PAUSE_MS = 200
/** Time to the head of a reply, for a request without a body. */
const HEAD_MS = 20_000
/** Slowest upload that is waited for, in bytes a millisecond. */
const SLOWEST = 128
const NOTHING = createHash('sha256').digest('hex')

/** A body that can be sent more than once. */
interface Upload {
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
  body(): Uint8Array | AsyncIterable<Uint8Array>
}

interface ClientDeps {
  readonly transport: Transport
  readonly signer: S3Signer
  readonly clock: Clock
  /** In [0, 1), spreads repeated tries of replicas; `Math.random` but in tests. */
  readonly random: () => number
}

/** Requests to an object store: signed, bounded in time, and tried up to three times, which is safe because each names one whole object. */
export class S3Client {
  readonly #parts: ClientDeps

  constructor(parts: ClientDeps) {
    this.#parts = parts
  }

  /** The reply, of status 200 to 299, its body not read. Rejects with S3Failure. */
  async send(
    method: 'GET' | 'PUT' | 'DELETE',
    url: string,
    headers: Readonly<Record<string, string>> = {},
    upload?: Upload,
  ): Promise<TransportReply> {
    for (let tried = 1; ; tried++) {
      try {
        return await this.#once(method, url, headers, upload)
      } catch (error) {
        if (!(error instanceof S3Failure) || !error.transient || tried === TRIES) throw error
        await this.#pause(PAUSE_MS * 2 ** tried * (0.5 + this.#parts.random() / 2))
      }
    }
  }

  async #once(
    method: 'GET' | 'PUT' | 'DELETE',
    url: string,
    headers: Readonly<Record<string, string>>,
    upload?: Upload,
  ): Promise<TransportReply> {
    const { transport, signer, clock } = this.#parts
    const signed = await signer.headers({ method, url, headers, sha256: upload?.sha256 ?? NOTHING, now: clock.now() })
    const reply = await transport
      .request({
        method,
        url,
        headers: upload === undefined ? signed : { ...signed, 'content-length': String(upload.size) },
        body: upload?.body() ?? null,
        headMs: HEAD_MS + (upload?.size ?? 0) / SLOWEST,
      })
      .catch((error: unknown) => {
        throw unreachable(error)
      })
    if (reply.status >= 200 && reply.status < 300) return reply
    throw await refusal(reply)
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#parts.clock.after(ms, resolve))
  }
}
