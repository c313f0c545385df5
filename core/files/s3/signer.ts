import { AwsV4Signer } from 'aws4fetch'

/** The operator's credentials. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** For temporary credentials, or null. */
  readonly sessionToken: string | null
}

interface SignRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of the body, hexadecimal. */
  readonly sha256: string
  /** Unix milliseconds. */
  readonly now: number
}

/** Signs requests and links to an object store (AWS Signature Version 4, service s3). */
export class S3Signer {
  readonly #credentials: S3Credentials
  readonly #region: string
  /** Signing keys by day; those of past days are removed. */
  readonly #keys = new Map<string, ArrayBuffer>()

  constructor(credentials: S3Credentials, region: string) {
    this.#credentials = credentials
    this.#region = region
  }

  /** All headers to send. The body's hash is signed, so that bytes modified in transit are refused. */
  async headers({ method, url, headers, sha256, now }: SignRequest): Promise<Record<string, string>> {
    const signer = this.#signer(method, url, now, { headers: { ...headers, 'x-amz-content-sha256': sha256 } })
    return Object.fromEntries((await signer.sign()).headers)
  }

  /** A GET link that needs no credentials, with the file's headers, valid for so many seconds. */
  async link(
    base: string,
    replyHeaders: Readonly<Record<string, string>>,
    { now, seconds }: { now: number; seconds: number },
  ): Promise<string> {
    const url = new URL(base)
    url.searchParams.set('X-Amz-Expires', String(seconds))
    for (const [name, value] of Object.entries(replyHeaders)) url.searchParams.set(`response-${name}`, value)
    const signer = this.#signer('GET', url.href, now, { signQuery: true })
    // Built from the signed parts: the URL class encodes a space as a plus sign, which some servers do not decode.
    return `${url.origin}${signer.encodedPath}?${signer.encodedSearch}&X-Amz-Signature=${await signer.signature()}`
  }

  #signer(method: string, url: string, now: number, more: { headers?: Record<string, string>; signQuery?: boolean }): AwsV4Signer {
    if (this.#keys.size > 2) this.#keys.clear()
    const { accessKeyId, secretAccessKey, sessionToken } = this.#credentials
    return new AwsV4Signer({
      method,
      url,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === null ? {} : { sessionToken }),
      service: 's3',
      region: this.#region,
      cache: this.#keys,
      datetime: new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, ''),
      ...more,
    })
  }
}
