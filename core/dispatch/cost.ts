import type { Environment } from './environment.js'
import type { VendorCost } from '../telemetry/types.js'

/** A currency of ISO 4217, or a vendor's own unit: few, since each is a series of its own. */
const CURRENCY = /^([A-Z]{3}|[a-z]{1,16})$/

/** Counts a cost that a vendor reported and returns true; an invalid one is logged and does not fail the call. */
export function reportCost({ onCost, log }: Pick<Environment, 'onCost' | 'log'>, cost: VendorCost, requestId: string): boolean {
  const fault = faultOf(cost)
  if (fault === null) onCost(cost)
  else log('cost-invalid', fault, { request_id: requestId, provider: cost.vendor })
  return fault === null
}

function faultOf({ amount, currency }: VendorCost): string | null {
  if (!Number.isFinite(amount) || amount < 0) return `the reported cost is not a number from 0 on: ${String(amount).slice(0, 40)}`
  return CURRENCY.test(currency) ? null : `a cost was reported in "${currency.slice(0, 40)}", which is neither like USD nor like credits`
}
