import type { Environment, VendorCost } from './environment.js'

/** A currency of ISO 4217, or a vendor's own unit: few, since each is a series of its own. */
const CURRENCY = /^([A-Z]{3}|[a-z]{1,16})$/

/** Counts what a vendor told; a figure that is none is only logged, since the call is none the worse for it. */
export function reportCost({ onCost, log }: Pick<Environment, 'onCost' | 'log'>, cost: VendorCost, requestId: string): void {
  const fault = faultOf(cost)
  if (fault === null) onCost(cost)
  else log('cost-invalid', fault, { request_id: requestId, provider: cost.vendor })
}

function faultOf({ amount, currency }: VendorCost): string | null {
  if (!Number.isFinite(amount) || amount < 0) return `the cost that was told is not a number from 0 on: ${String(amount).slice(0, 40)}`
  return CURRENCY.test(currency) ? null : `a cost was told in "${currency.slice(0, 40)}", which is neither like USD nor like credits`
}
