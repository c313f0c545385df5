import type { Environment } from './environment.js'
import type { VendorCost } from '../telemetry/types.js'
import type { ModelTokens } from '../sdk/index.js'
import type { CallState } from './call.js'

/** A currency of ISO 4217, or a vendor's own unit. Each one adds a metric series. */
const CURRENCY = /^([A-Z]{3}|[a-z]{1,16})$/
/** Characters kept of a model's name. */
const LONGEST_NAME = 200

/** Counts a cost that a vendor reported and returns true; an invalid one is logged and does not fail the call. */
export function reportCost({ telemetry, log }: Pick<Environment, 'telemetry' | 'log'>, cost: VendorCost, requestId: string): boolean {
  const fault = faultOf(cost)
  if (fault === null) telemetry.cost(cost)
  else log('cost-invalid', fault, { request_id: requestId, provider: cost.vendor })
  return fault === null
}

function faultOf({ amount, currency }: VendorCost): string | null {
  if (!Number.isFinite(amount) || amount < 0) return `the reported cost is not a number from 0 on: ${String(amount).slice(0, 40)}`
  return CURRENCY.test(currency) ? null : `a cost was reported in "${currency.slice(0, 40)}", which is neither like USD nor like credits`
}

/** Counts tokens that a vendor reported; invalid figures are logged and do not fail the call. */
export function reportTokens(
  { telemetry, log }: Pick<Environment, 'telemetry' | 'log'>,
  { call, provider }: { readonly call: Pick<CallState, 'requestId' | 'tokens' | 'vendorUse'>; readonly provider: string },
  { model, input, output, estimated }: ModelTokens,
): void {
  if (!isCount(input) || !isCount(output)) {
    log('token-count-invalid', 'the reported tokens are not whole numbers from 0 on', { request_id: call.requestId, provider })
    return
  }
  call.vendorUse.add({ tokens: input + output })
  if (estimated === true) return
  const tokens = { model: String(model).slice(0, LONGEST_NAME), input, output }
  call.tokens.add(provider, tokens)
  telemetry.tokens(provider, tokens)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
