import type { Port } from './port.js'
import type { HandlerContext } from './handler-context.js'
import type { ProviderContext, RequestContext, Resource, ServesContext } from './services.js'
import type { Static, TObject, TSchema } from './schema.js'
import type { SettingsOf, Vendor } from './vendor.js'
import type { Capability } from './capability.js'
import type { Call } from './vendor-call.js'

/** A plugin without settings. */
type None = TObject<Record<never, never>>

/** What every provider declares. */
export interface Common<I, O, V extends Vendor, P extends TObject> {
  readonly vendor: V
  /** The settings of its plugin, the same object as in `plugin({ settings })`. The vendor's are always included. */
  readonly settings?: P
  /**
   * Names of optional secrets and settings, of its vendor or its plugin, that this provider requires: it is dormant
   * without them, while others of its vendor serve. For example the secret of a further product, a project, a sender.
   */
  readonly needs?: readonly string[]
  /** Ports that it requires: it is dormant while one of them has no live provider. */
  readonly uses?: readonly Port[]
  /** Order among vendors the configuration does not name; lower comes first, default 50. */
  readonly rank?: number
  /**
   * Time limit of one try in milliseconds, default 10,000 for plain HTTP and the rest of the call for other providers.
   * While another provider waits, a try without its own limit leaves it the last 10 s of the call, at most half of the
   * remaining time.
   */
  readonly timeoutMs?: number | ((input: I) => number)
  /** False when this vendor cannot serve this input; the provider is then skipped. */
  readonly serves?: (input: I, context: ServesContext<SettingsOf<V> & Static<P>>) => boolean
  /**
   * True for a result of little value, such as the empty list of an encyclopedia after search engines. It is used if no
   * provider before it failed; otherwise it counts as a `missing` Fault that is `inconclusive`, and the call ends with
   * the failure unless a later provider has a result.
   */
  readonly inconclusive?: (output: O) => boolean
}

/** A provider of one request and one reply: pure, and therefore tested by its fixture alone. */
export interface HttpProvider<I, O, R extends TSchema, V extends Vendor, P extends TObject> extends Common<I, O, V, P> {
  readonly request: (input: I, context: RequestContext<SettingsOf<V> & Static<P>>) => Call
  /** The minimal shape of a good reply; lenient about everything else. */
  readonly reply: R
  /** The result, or null when the vendor has none. */
  readonly map: (reply: Static<R>, input: I) => O | null
}

/** A provider that runs code: polling, uploads, local programs. */
export interface Provider<I, O, V extends Vendor, P extends TObject> extends Common<I, O, V, P> {
  readonly run: (input: I, context: ProviderContext<SettingsOf<V> & Static<P>>) => Promise<O | null>
}

const MARK = Symbol.for('capstan.contribution')

interface Marked<K extends string> {
  readonly [MARK]: K
}
export interface PortContribution<I extends TObject = TObject, O extends TSchema = TSchema> extends Marked<'port'>, Port<I, O> {}
export interface CapabilityContribution<I extends TObject = TObject, O extends TSchema = TSchema>
  extends Marked<'capability'>, Capability<I, O> {}
export interface HandlerContribution extends Marked<'handler'> {
  readonly of: string
  readonly settings?: TObject
  readonly run: (input: never, context: HandlerContext<never>) => Promise<unknown>
}
export interface ProviderContribution extends Marked<'provider'> {
  readonly of: Port
  readonly vendor: Vendor
  readonly settings?: TObject
  readonly needs?: readonly string[]
  readonly uses?: readonly Port[]
  readonly rank: number
  readonly timeoutMs?: number | ((input: never) => number)
  readonly serves?: (input: never, context?: ServesContext<never>) => boolean
  readonly inconclusive?: (output: never) => boolean
  readonly http?: {
    readonly request: (input: never, context: RequestContext<never>) => Call
    readonly reply: TSchema
    readonly map: (reply: never, input: never) => unknown
  }
  readonly run?: (input: never, context: ProviderContext<never>) => Promise<unknown>
}
export interface PluginContribution extends Marked<'plugin'> {
  readonly name: string
  readonly version: string
  readonly sdk: number
  readonly title: string
  readonly settings?: TObject
  readonly dispose?: () => Promise<void>
}
export type Contribution = PortContribution | CapabilityContribution | HandlerContribution | ProviderContribution | PluginContribution

/** The version that a plugin must declare; it changes with every incompatible change of this interface. */
export const SDK_VERSION = 2

/** The changes of that version. */
export const SDK_CHANGE =
  "since 2 null for an optional field of an input means absent, a resource reads host.settings instead of host.setting(name), and isolation 'own' is called 'external'"

/** Declares an internal port that other plugins and vendors may serve. */
export function port<I extends TObject, O extends TSchema>(definition: Port<I, O>): PortContribution<I, O> {
  return { ...definition, [MARK]: 'port' }
}

/** Declares a capability: a port with a path, a price and a deadline. */
export function capability<I extends TObject, O extends TSchema>(definition: Capability<I, O>): CapabilityContribution<I, O> {
  return { ...definition, [MARK]: 'capability' }
}

/** Composes ports into a capability's answer. `settings`, as in `plugin({ settings })`, types `context.settings`. */
export function handle<I extends TObject, O extends TSchema, P extends TObject = None>(
  of: Capability<I, O>,
  run: (input: Static<I>, context: HandlerContext<Static<P>>) => Promise<Static<O>>,
  { settings }: { readonly settings?: P } = {},
): HandlerContribution {
  return { of: of.id, run, ...(settings === undefined ? {} : { settings }), [MARK]: 'handler' }
}

/** A provider of a port that runs code: polling, uploads, local programs. */
export function provider<I extends TObject, O extends TSchema, V extends Vendor, P extends TObject = None>(
  of: Port<I, O>,
  definition: Provider<Static<I>, Static<O>, V, P>,
): ProviderContribution {
  const { run } = definition
  return { of, ...common(definition), run, [MARK]: 'provider' }
}

/** A provider of a port that is one request and one reply. */
export function httpProvider<I extends TObject, O extends TSchema, R extends TSchema, V extends Vendor, P extends TObject = None>(
  of: Port<I, O>,
  definition: HttpProvider<Static<I>, Static<O>, R, V, P>,
): ProviderContribution {
  const { request, reply, map } = definition
  return { of, ...common(definition), http: { request, reply, map }, [MARK]: 'provider' }
}

function common<I, O, V extends Vendor, P extends TObject>(definition: Common<I, O, V, P>) {
  const { vendor, settings, needs, uses, rank = 50, timeoutMs, serves, inconclusive } = definition
  return {
    vendor,
    rank,
    ...(needs === undefined ? {} : { needs }),
    ...(uses === undefined ? {} : { uses }),
    ...(settings === undefined ? {} : { settings }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    // The core always passes the context; tests may omit it where it is not used.
    ...(serves === undefined ? {} : { serves: serves as (input: I, context?: ServesContext<never>) => boolean }),
    ...(inconclusive === undefined ? {} : { inconclusive }),
  }
}

/** The manifest of a plugin, read before any other of its files. */
export function plugin(definition: Omit<PluginContribution, typeof MARK>): PluginContribution {
  return { ...definition, [MARK]: 'plugin' }
}

/** Declares a vendor; adds only the type. */
export function vendor<const V extends Vendor>(definition: V): V {
  return definition
}

/** Declares a long-lived resource that providers share; adds only the type. */
export function resource<R, P extends TObject = None>(
  definition: Omit<Resource<R, Static<P>>, 'settings'> & { readonly settings?: P },
): Resource<R> {
  return definition
}

/** The kind of an export of a plugin file, or undefined when it is not a contribution. */
export function contributionOf(value: unknown): Contribution | undefined {
  return typeof value === 'object' && value !== null && MARK in value ? (value as Contribution) : undefined
}

/** The kind of a contribution. */
export function kindOf(contribution: Contribution): Contribution[typeof MARK] {
  return contribution[MARK]
}
