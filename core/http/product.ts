import { Problem } from '../problems/problem.js'
import type { HttpContext } from './exchange.js'
import type { HttpServices } from './services.js'

/** The catalogue of all capabilities. */
const MAIN_PRODUCT = 'agent'

/** Names of the product catalogues: the main one, those named by capabilities, those the operator configured. */
function productNames(services: HttpServices): string[] {
  const names = new Set([MAIN_PRODUCT, ...Object.keys(services.settings.products)])
  for (const { capability } of services.registry().capabilities.values()) for (const name of capability.products ?? []) names.add(name)
  return [...names]
}

/** Ids of a product's capabilities; null for the main one, which has all. Throws `validation-failed`. */
export function capabilitiesOf(services: HttpServices, product: string): ReadonlySet<string> | null {
  if (product === MAIN_PRODUCT) return null
  const names = productNames(services)
  if (!names.includes(product)) {
    const msg = `must be one of ${names.map((name) => `"${name}"`).join(', ')}`
    throw new Problem('validation-failed', `product: ${msg}`, { validation: [{ loc: ['query', 'product'], msg, type: 'enum' }] })
  }
  const configured = services.settings.products[product] ?? []
  const own = [...services.registry().capabilities.values()].filter(({ capability }) => capability.products?.includes(product) === true)
  return new Set([...configured, ...own.map(({ capability }) => capability.id)])
}

/** The product a paid call is booked under: the query's, or the main one. */
export function productOf(services: HttpServices, ctx: HttpContext): string {
  const given = ctx.querystring === '' ? null : new URLSearchParams(ctx.querystring).get('product')
  if (given === null) return MAIN_PRODUCT
  capabilitiesOf(services, given)
  return given
}
