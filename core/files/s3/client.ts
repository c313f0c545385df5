import { createHash } from 'node:crypto'
import { Stopped } from '../../problems/errors.js'
import { Cancel, pause } from '../../runtime/cancel.js'
import type { Clock } from '../../runtime/clock.js'
import { stoppedBy } from '../blobs.js'
import { refusal, S3Failure, unreachable } from './failure.js'
import type { S3Signer } from './signer.js'
import type { Transport, TransportReply } from '../../outbound/types.js'

const TRIES = 3
const PAUSE_MS = 200
/** Time to the head of a reply over all tries, for a request without a body. */
const HEAD_MS = 20_000
/** Slowest accepted upload, in bytes per millisecond. */
const SLOWEST = 128
const NOTHING = createHash('sha256').digest('hex')

/** A body that can be sent more than once. */
interface S3Body {
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
  body(): Uint8Array | AsyncIterable<Uint8Array>
}

type Method = 'GET' | 'PUT' | 'DELETE'

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly upload?: S3Body | undefined
  readonly cancel?: Cancel | undefined
}

interface ClientDeps {
  readonly transport: Transport
  readonly signer: S3Signer
  readonly clock: Clock
  /** In [0, 1), spreads the retries of replicas; `Math.random` except in tests. */
  readonly random: () => number
}

/** Signed requests to an object store, tried up to three times within one time limit; retries are safe because each names one whole object. */
export class S3Client {
  readonly #parts: ClientDeps

  constructor(parts: ClientDeps) {
    this.#parts = parts
  }

  /** The reply, of status 200 to 299, with its body unread; `cancel` destroys it. Rejects with S3Failure, and with Stopped after `cancel`. */
  async send(method: Method, url: string, more: SendOptions = {}): Promise<TransportReply> {
    const { clock, random } = this.#parts
    const { headers = {}, upload, cancel = new Cancel(clock, Infinity) } = more
    const until = clock.monotonic() + HEAD_MS + (upload?.size ?? 0) / SLOWEST
    for (let tried = 1; ; tried++) {
      try {
        return await this.#once(method, url, { headers, upload, cancel, headMs: until - clock.monotonic() })
      } catch (error) {
        if (cancel.reason !== null) throw new Stopped(cancel.reason)
        const pauseMs = PAUSE_MS * 2 ** tried * (0.5 + random() / 2)
        const isOver = tried === TRIES || clock.monotonic() + pauseMs >= until
        if (!(error instanceof S3Failure) || !error.transient || isOver) throw error
        await pause(pauseMs, cancel, clock, (reason) => new Stopped(reason))
      }
    }
  }

  async #once(
    method: Method,
    url: string,
    { headers, upload, cancel, headMs }: Required<SendOptions> & { readonly headMs: number },
  ): Promise<TransportReply> {
    const { transport, signer, clock } = this.#parts
    const signed = await signer.headers({ method, url, headers, sha256: upload?.sha256 ?? NOTHING, now: clock.now() })
    const reply = await transport
      .request({
        method,
        url,
        headers: upload === undefined ? signed : { ...signed, 'content-length': String(upload.size) },
        body: upload?.body() ?? null,
        headMs,
        cancel,
      })
      .catch((error: unknown) => {
        throw unreachable(error)
      })
    stoppedBy(cancel, reply.body)
    if (reply.status >= 200 && reply.status < 300) return reply
    throw await refusal(reply)
  }
}
