/** What a shape is measured with: a server on loopback that serves a document, and the address of it. */
export interface Served {
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly status?: number
}

/** One request, page or vendor reply that tries to hold the gateway up. */
export interface Shape {
  readonly name: string
  /** Statuses that the gateway may answer with. */
  readonly status: readonly number[]
  /** Path of the request and its body; `{page}` in the body is replaced by the address of the test server. */
  readonly path: string
  readonly body: () => string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** What the page or the vendor behind the call answers. */
  readonly serves?: () => Served
}

export const MIB = 1024 * 1024

/** `unit` repeated to at most so many bytes (UTF-8), between two texts. */
export function filled(size: number, unit: string, around: readonly [string, string] = ['', '']): string {
  const room = size - Buffer.byteLength(around[0]) - Buffer.byteLength(around[1])
  return `${around[0]}${unit.repeat(Math.floor(room / Buffer.byteLength(unit)))}${around[1]}`
}

/** So many different parts, joined by commas. */
export function listed(count: number, part: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => part(index)).join(',')
}
