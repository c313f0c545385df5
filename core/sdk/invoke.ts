import type { HandlerContribution, ProviderContribution } from './contribution.js'
import type { DeclaredList, ListContext } from './list.js'
import type { Violation, Port } from './port.js'
import type { PriceTable } from './price.js'
import type { HandlerContext } from './handler-context.js'
import type { ProviderContext, RequestContext, Resource, ResourceHost, ServesContext } from './services.js'
import type { Capability, InputDetails } from './capability.js'
import type { Call } from './vendor-call.js'

/*
 * Where the host calls plugin code. The types of a plugin's functions were checked against its schemas when it was
 * compiled; the host has checked the value against the same schemas when it was received. This file alone connects the
 * two by a cast.
 */

/** Runs a handler on an input that passed the capability's schema. */
export function runHandler(handler: HandlerContribution, input: unknown, context: HandlerContext): Promise<unknown> {
  return handler.run(input as never, context as HandlerContext<never>)
}

/** Runs a provider of the `run` form on an input that passed the port's schema. */
export function runProvider(provider: ProviderContribution, input: unknown, context: ProviderContext): Promise<unknown> {
  if (provider.run === undefined) throw new TypeError(`provider ${provider.vendor.id} of ${provider.of.id} has no run function`)
  return provider.run(input as never, context as ProviderContext<never>)
}

/** The request an HTTP provider would make for an input. */
export function buildRequest(provider: ProviderContribution, input: unknown, context: RequestContext): Call {
  if (provider.http === undefined) throw new TypeError(`provider ${provider.vendor.id} of ${provider.of.id} makes no single request`)
  return provider.http.request(input as never, context as RequestContext<never>)
}

/** The result that an HTTP provider reads from a reply that passed its reply schema; null for none. */
export function mapReply(provider: ProviderContribution, reply: unknown, input: unknown): unknown {
  if (provider.http === undefined) throw new TypeError(`provider ${provider.vendor.id} of ${provider.of.id} makes no single request`)
  return provider.http.map(reply as never, input as never)
}

/** False when the provider declares that it cannot serve this input with its present settings and address. */
export function serves(provider: ProviderContribution, input: unknown, context: ServesContext = { settings: {}, baseUrl: '' }): boolean {
  return provider.serves === undefined || provider.serves(input as never, context as ServesContext<never>)
}

/** True when the provider declares that its result is of little value, which matters after failures of others. */
export function isInconclusive(provider: ProviderContribution, output: unknown): boolean {
  return provider.inconclusive?.(output as never) === true
}

/** The provider's own time limit of a try in milliseconds, if it has one. */
export function tryLimit(provider: ProviderContribution, input: unknown): number | undefined {
  return typeof provider.timeoutMs === 'function' ? provider.timeoutMs(input as never) : provider.timeoutMs
}

/** The price of an input in credits by the plugin's table or the operator's; with a result at most what that costs. */
export function quote(capability: Capability, input: unknown, table?: PriceTable, output?: unknown): number {
  const lesser = output === undefined ? input : (capability.charged?.(input as never, output) ?? input)
  return Math.min(...[input, lesser].map((one) => capability.price.quote(one as never, table)))
}

/** What the capability says of an input beside its price; undefined for one that says nothing. */
export function detailsOf(capability: Capability, input: unknown): InputDetails | undefined {
  return capability.details?.(input as never)
}

/** Deadline of a call in milliseconds. */
export function callLimit(capability: Capability, input: unknown): number {
  const { timeoutMs = 30_000 } = capability
  return typeof timeoutMs === 'function' ? timeoutMs(input as never) : timeoutMs
}

/** Deadline of a call in seconds, or in words for one that depends on the input. */
export function deadlineOf({ timeoutMs = 30_000, deadline }: Capability): number | string {
  return typeof timeoutMs === 'number' ? timeoutMs / 1000 : (deadline ?? 'depends on the parameters')
}

/** The input in the normal form of the capability. */
export function normalised(capability: Capability, input: unknown): unknown {
  return capability.normalise === undefined ? input : capability.normalise(input as never)
}

/** Violations of rules over several fields. */
export function violations(capability: Capability, input: unknown): readonly Violation[] {
  return capability.check === undefined ? [] : capability.check(input as never)
}

/** Ports that this input requires. */
export function required(capability: Capability, input: unknown): readonly Port[] {
  return capability.requires === undefined ? [] : capability.requires(input as never)
}

/** The content of a list for a query that passed its schema. Rejects also where reading throws synchronously. */
export async function readList(list: DeclaredList, context: ListContext): Promise<unknown> {
  return await list.read(context as ListContext<never, never>)
}

/** Opens a resource with the settings of its plugin. */
export function openResource<R>(resource: Resource<R>, host: ResourceHost): Promise<R> {
  return resource.open(host as ResourceHost<never>)
}

/** A value whose type is known by its origin: it was checked against the schema, or made by the plugin's own module. */
export function answerOf<T>(value: unknown): T {
  return value as T
}
