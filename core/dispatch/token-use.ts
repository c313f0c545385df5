import type { ModelTokens } from '../sdk/index.js'
import type { CallState } from './call.js'
import type { Environment } from './environment.js'

/** Models that are listed for one call; what others used is not shown. */
const MOST_MODELS = 50
const LONGEST_NAME = 200

/** What one vendor's model counted over a call, as `metadata.usage` shows it. */
export interface TokenUse {
  readonly provider: string
  readonly model: string
  input_tokens: number
  output_tokens: number
}

/** The tokens of one call, summed by vendor and model. */
export class TokenUses {
  readonly list: TokenUse[] = []

  add(provider: string, { model, input, output }: ModelTokens): void {
    const known = this.list.find((use) => use.provider === provider && use.model === model)
    if (known !== undefined) {
      known.input_tokens += input
      known.output_tokens += output
    } else if (this.list.length < MOST_MODELS) this.list.push({ provider, model, input_tokens: input, output_tokens: output })
  }
}

/** Counts tokens that a vendor reported; invalid figures are logged and do not fail the call. */
export function reportTokens(
  { onTokens, log }: Pick<Environment, 'onTokens' | 'log'>,
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
  onTokens(provider, tokens)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
