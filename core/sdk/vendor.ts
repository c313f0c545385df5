import type { Fault } from './fault.js'
import type { Static, TObject } from './schema.js'

/** What a vendor's reply looked like, for the few vendors whose status misleads. */
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

/** How often a vendor lets itself be asked. */
export interface Pace {
  /** So many requests begin in any `perMs` milliseconds; the rest wait for their turn. */
  readonly requests: number
  readonly perMs: number
  /** Requests at once. */
  readonly concurrent?: number
}

/** Where a vendor is and how to sign, shared by all its adapters. A vendor that lacks what it needs is dormant. */
export interface Vendor {
  /** The vendor's id, as callers see it in `providers_tried`. */
  readonly id: string
  readonly title: string
  /** The vendor's own pages: documentation, sign-up. */
  readonly home?: string
  /** Base address. Absent for local vendors, and for those that only ever are the operator's own instance. */
  readonly baseUrl?: string
  /** Further addresses of the same vendor by name (`upload`, `token`); a Call picks one with `host`. */
  readonly hosts?: Readonly<Record<string, string>>
  /** Dormant until the operator sets the address (an own instance). */
  readonly needsUrl?: true
  /** Secret name to environment variable, for example `{ api_key: 'SERPER_API_KEY' }`. */
  readonly secrets?: Readonly<Record<string, string>>
  /** With an address set by the operator the secrets are optional (a local server without keys). */
  readonly keylessWithUrl?: true
  /** Secrets that are used when present. */
  readonly optionalSecrets?: Readonly<Record<string, string>>
  /**
   * Programs that must be installed, for example `bwrap`; as value Debian's package, several separated by spaces, or `npm run tools -- NAME` for one
   * of the project's own tools.
   */
  readonly programs?: Readonly<Record<string, string>>
  /** Programs of which one must be installed, the first is preferred. */
  readonly anyProgram?: Readonly<Record<string, string>>
  /** Programs that are used when installed; asking for one that is not is a `missing` Fault. */
  readonly optionalPrograms?: Readonly<Record<string, string>>
  /**
   * What its programs can use besides, by what it is good for: Debian packages, and a path that each leaves behind. `capstan doctor` names those that
   * a vendor in use lacks.
   */
  readonly extras?: Readonly<Record<string, { readonly packages: string; readonly paths: readonly string[] }>>
  /** A harmless command that succeeds only when a program can work, for one that needs a service beside it; `capstan doctor` runs it. */
  readonly probe?: { readonly program: string; readonly args: readonly string[] }
  /**
   * A host and port that a network must let through for this vendor to work; `capstan doctor` connects there, and says `otherwise` when it cannot.
   * `closingLine` ends a conversation of its protocol (QUIT of SMTP), without its CRLF: it is sent behind the server's greeting.
   */
  readonly reaches?: { readonly host: string; readonly port: 25 | 43; readonly otherwise: string; readonly closingLine?: string }
  /** Why nothing on this machine bounds the memory of what runs in this vendor's own isolation; null when something does. */
  readonly memoryUnbounded?: () => string | null
  /** True where its programs are bounded without a control group, as a browser behind the launcher is: several accounts may use them on any machine. */
  readonly boundedWithoutGroups?: true
  /** Settings with default and sentence, printed and checked like the core's. */
  readonly settings?: TObject
  /** Sends the caller's text to a stranger: used only when the operator's waterfall names it. */
  readonly optIn?: true
  /** Headers every request carries, for example a client identification. */
  readonly headers?: Readonly<Record<string, string>>
  /** Its own rate, kept over all callers, and over all gateways that share a Redis. A request that cannot have its turn in time is a `busy` Fault. */
  readonly pace?: Pace
  readonly auth?: (secret: (name: string) => string) => Signature
  /** Reads replies whose status does not say what happened; undefined leaves the status to speak. */
  readonly fault?: (reply: Reply) => Fault | undefined
}

/** Values of the settings that a vendor declares, defaults filled in; none for one that declares none. */
export type SettingsOf<V> = V extends { readonly settings: infer S extends TObject } ? Static<S> : unknown

/** Every program a vendor may run, required or not, with its Debian package. */
export function programsOf(vendor: Vendor): Readonly<Record<string, string>> {
  return { ...vendor.programs, ...vendor.anyProgram, ...vendor.optionalPrograms }
}
