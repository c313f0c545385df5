/** A file that is made to harm who reads it. */
export interface HostileFile {
  readonly bytes: Uint8Array
  /** How its name ends where it is served. */
  readonly as: string
  /** `refused`: 422 at the field, free of charge. `read`: an answer as of any other file. */
  readonly ends: 'refused' | 'read'
  /** The path of the one capability that it is for: of a picture of one pixel nothing can be cut out. */
  readonly path?: string
}

/** By what they are. */
export type HostileFiles = Readonly<Record<string, HostileFile>>

/** What nobody may reach. */
export interface Canaries {
  /** Address of a server that counts its connections. */
  readonly url: string
  /** Path of a file beside the gateway that everybody may read. */
  readonly file: string
}

export const refused = (as: string, bytes: Uint8Array | string): HostileFile => ({ as, bytes: Buffer.from(bytes), ends: 'refused' })
export const read = (as: string, bytes: Uint8Array, path?: string): HostileFile => ({
  ...{ as, bytes, ends: 'read' },
  ...(path === undefined ? {} : { path }),
})
