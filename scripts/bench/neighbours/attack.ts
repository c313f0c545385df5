/** What another account does beside a neighbour. */
export interface Attack {
  readonly name: string
  /** Calls under way at once. */
  readonly atOnce: number
  readonly path: string
  /** POST unless it says so. */
  readonly method?: 'GET'
  /** Of the body, JSON unless it says so. */
  readonly contentType?: string
  /** Sent without a key. */
  readonly keyless?: true
  /** The body of the call of this number; `site` is the address of the server of its pages, without a slash at the end. */
  body(site: string, count: number): string | Uint8Array
  /** The last byte of the body is never sent. */
  readonly unfinished?: true
  /** What that server answers to a GET of anything but small resources of the page itself. */
  page?(): { readonly contentType: string; readonly bytes: Uint8Array }
  /** Bytes of an answer that are read every 200 ms, 0 for none ever; the whole answer at once when it is not given. */
  readonly readBytes?: number
  /** So many connections that each send a byte of a header every second and are opened anew when they are closed; no calls then. */
  readonly slowHeads?: number
}
