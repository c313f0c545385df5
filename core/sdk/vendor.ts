import type { Fault } from './fault.js'
import type { Static, TObject } from './schema.js'

/** A vendor's reply, for the few vendors whose status is misleading. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON where the reply was JSON, else the text, else bytes. */
  readonly body: unknown
}

/** What signing adds to a request. */
export interface Signature {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly json?: Readonly<Record<string, unknown>>
}

/** The rate limit of a vendor. */
export interface Pace {
  /** So many requests begin in any `perMs` milliseconds; further requests wait for their turn. */
  readonly requests: number
  readonly perMs: number
  /** Most concurrent requests. */
  readonly concurrent?: number
}

/** A vendor's address and signature of requests, for all its adapters. It is dormant while a requirement is missing. */
export interface Vendor {
  /** The vendor's id, as callers see it in `providers_tried`. */
  readonly id: string
  readonly title: string
  /** The vendor's own pages: documentation, sign-up. */
  readonly home?: string
  /** Base address. Absent for local vendors, and for those that are always the operator's own instance. */
  readonly baseUrl?: string
  /** Further addresses of the same vendor by name (`upload`, `token`); `host` of a Call selects one. */
  readonly hosts?: Readonly<Record<string, string>>
  /** Dormant until the operator sets the address (a self-hosted instance). */
  readonly needsUrl?: true
  /** Secret name to environment variable, for example `{ api_key: 'SERPER_API_KEY' }`. */
  readonly secrets?: Readonly<Record<string, string>>
  /** The secrets are optional if the operator set the address (a local server without keys). */
  readonly keylessWithUrl?: true
  /** Optional secrets. */
  readonly optionalSecrets?: Readonly<Record<string, string>>
  /**
   * Required programs, for example `bwrap`; the value is Debian's package, several separated by spaces, or `npm run
   * tools -- NAME` for one of the project's own tools.
   */
  readonly programs?: Readonly<Record<string, string>>
  /** Programs of which one is required; the first one is preferred. */
  readonly anyProgram?: Readonly<Record<string, string>>
  /** Optional programs; using one that is not installed is a `missing` Fault. */
  readonly optionalPrograms?: Readonly<Record<string, string>>
  /**
   * What its programs can use optionally, by purpose: Debian packages, and a path that each installs. `capstan doctor`
   * lists those that a vendor in use lacks.
   */
  readonly extras?: Readonly<Record<string, { readonly packages: string; readonly paths: readonly string[] }>>
  /** A harmless command that succeeds only when a program works; `capstan doctor` runs it. */
  readonly probe?: { readonly program: string; readonly args: readonly string[] }
  /**
   * What `capstan doctor` says of its installed programs, each with the command that mends it: a version that is out of
   * date, an optional part that is missing. Reads small files only, and changes nothing. `program` gives the absolute
   * path of a program, `now` is in Unix milliseconds.
   */
  readonly remarks?: (program: (name: string) => string | undefined, now: number) => readonly string[]
  /**
   * A host and port that the network must allow for this vendor to work; `capstan doctor` connects to it, and prints
   * `otherwise` when that fails. `closingLine` ends a conversation of its protocol (QUIT of SMTP), without its CRLF: it
   * is sent after the server's greeting.
   */
  readonly reaches?: { readonly host: string; readonly port: 25 | 43; readonly otherwise: string; readonly closingLine?: string }
  /** Why this machine does not limit the memory of programs in this vendor's own isolation; null when it does. */
  readonly memoryUnbounded?: () => string | null
  /** Its programs are limited without a control group (a browser in the launcher): several accounts may use them. */
  readonly boundedWithoutGroups?: true
  /** Settings with default and description, printed and checked like those of the core. */
  readonly settings?: TObject
  /** Used only when the operator's waterfall names it, for example because it sends texts to a public service. */
  readonly optIn?: true
  /** Headers of every request, for example a client identification. */
  readonly headers?: Readonly<Record<string, string>>
  /** Its own rate limit over all callers and gateways. A request that cannot begin in time is a `busy` Fault. */
  readonly pace?: Pace
  readonly auth?: (secret: (name: string) => string) => Signature
  /** Interprets replies whose status is misleading; undefined leaves the decision to the status. */
  readonly fault?: (reply: Reply) => Fault | undefined
}

/** Values of the settings that a vendor declares, with defaults; empty if it declares none. */
export type SettingsOf<V> = V extends { readonly settings: infer S extends TObject } ? Static<S> : unknown

/** Every program a vendor may run, required or not, with its Debian package. */
export function programsOf(vendor: Vendor): Readonly<Record<string, string>> {
  return { ...vendor.programs, ...vendor.anyProgram, ...vendor.optionalPrograms }
}
