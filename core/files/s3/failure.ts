import { Fault } from '../../sdk/index.js'
import type { TransportReply } from '../../outbound/types.js'

/** Most bytes read of an error document. */
const MOST_BYTES = 64 * 1024
const TRANSIENT = new Set([408, 429, 500, 502, 503, 504])
const TIMEOUTS = new Set(['RequestTimeout', 'SlowDown', 'InternalError', 'ServiceUnavailable'])

interface FailureFacts {
  /** Status of the refusal; null when there was no reply. */
  readonly status: number | null
  /** Code of the error document, of the connection's error, or empty. */
  readonly code: string
  /** Region of the bucket, if the store named it. */
  readonly region?: string | undefined
  /** The store's clock in Unix milliseconds, if it sent it. */
  readonly serverTime?: number | undefined
  readonly cause?: unknown
}

/** A request that the object store did not carry out. The message contains no address and no secret. */
export class S3Failure extends Error {
  override readonly name = 'S3Failure'
  readonly facts: FailureFacts

  constructor(facts: FailureFacts) {
    super(
      `the object store ${facts.status === null ? 'could not be reached' : `answered ${facts.status}`}${facts.code === '' ? '' : ` (${facts.code})`}`,
      { cause: facts.cause },
    )
    this.facts = facts
  }

  /** True when a retry may succeed. */
  get transient(): boolean {
    const { status, code } = this.facts
    return status === null || TRANSIENT.has(status) || TIMEOUTS.has(code)
  }
}

/** The S3Failure of a connection error or a refusal of the address guard. */
export function unreachable(error: unknown): S3Failure {
  return new S3Failure({ status: null, code: codeOf(error), cause: error })
}

/** The S3Failure of a reply outside 200 to 299; reads its error document. */
export async function refusal(reply: TransportReply): Promise<S3Failure> {
  const text = await start(reply.body)
  const serverTime = Date.parse(reply.headers['date'] ?? '')
  return new S3Failure({
    status: reply.status,
    code: element(text, 'Code') ?? '',
    region: reply.headers['x-amz-bucket-region'] ?? element(text, 'Region'),
    serverTime: Number.isNaN(serverTime) ? undefined : serverTime,
  })
}

async function start(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MOST_BYTES) break
    }
  } catch (error) {
    throw unreachable(error)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The text of an element of an error document: only a word such as NoSuchBucket or eu-west-1. */
function element(text: string, name: string): string | undefined {
  return new RegExp(`<${name}>([A-Za-z0-9-]{1,64})</${name}>`).exec(text)?.[1]
}

function codeOf(error: unknown): string {
  if (Fault.is(error)) return error.kind === 'missing' ? 'ENOTFOUND' : error.kind
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
