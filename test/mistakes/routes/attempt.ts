/** What is sent instead of what the route wants; what is left out is as the route wants it. */
export interface Sent {
  readonly method?: string
  readonly path?: string
  /** Without the question mark. */
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A value is sent as JSON; a text as it is. */
  readonly body?: unknown
  /** The header Authorization; null sends none. */
  readonly auth?: string | null
}

/** A mistake and what is to come of it. */
export interface Row {
  readonly sent: Sent
  readonly status: number
  readonly says: readonly (string | RegExp)[]
}

/** A mistake with a route: `POST /v1/search`, as the OpenAPI document has it. Names in braces are replaced by what a newcomer has. */
export interface Attempt extends Row {
  readonly of: string
}

/** A mistake that is refused with a status. */
export const refused = (status: number, sent: Sent, ...says: (string | RegExp)[]): Row => ({ sent, status, says })

/** A JSON body that does not fit. */
export const body = (value: unknown, ...says: (string | RegExp)[]): Row => refused(422, { body: value }, ...says)

/** A query string that does not fit. */
export const query = (text: string, ...says: (string | RegExp)[]): Row => refused(422, { query: text }, ...says)

/** Inputs that resemble a mistake and are accepted as meant. */
export const taken = (sent: Sent, ...says: (string | RegExp)[]): Row => refused(200, sent, ...says)

/** The mistakes with one operation. */
export const operation = (of: string, ...rows: readonly Row[]): Attempt[] => rows.map((row) => ({ of, ...row }))
