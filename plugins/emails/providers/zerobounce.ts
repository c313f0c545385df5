import { Fault, provider, Type, type ProviderContext } from '../../../core/sdk/index.js'
import { KEY_OR_CREDITS, zerobounce as vendor } from '../../_vendors/zerobounce.js'
import { STATUSES, verifyVendors, type Verdict } from '../verify/contract.js'
import { textOrNull } from '../verify/vendor-values.js'

/** Seconds after which it answers unknown, greylisted. */
const TIMEOUT_S = 15
const TRY_MS = 18_000

const reply = Type.Object({ address: Type.Optional(Type.Unknown()), status: Type.String() }, { additionalProperties: true })
const credits = Type.Object({ Credits: Type.Union([Type.String(), Type.Number()]) })

/** GET /validate; a definite result costs a credit, `unknown` nothing. */
export const zerobounce = provider(verifyVendors, {
  vendor,
  rank: 10,
  timeoutMs: TRY_MS,
  run: async ({ address }, context) => {
    try {
      const query = { email: address, ip_address: '', timeout: TIMEOUT_S }
      const verdict = verdictOf(await context.api.json({ path: '/validate', query }, reply))
      if (verdict.status !== 'unknown') context.cost(1, 'credits')
      return verdict
    } catch (error) {
      if (!Fault.is(error) || error.message !== KEY_OR_CREDITS) throw error
      throw await accountFault(error, context)
    }
  },
})

function verdictOf(found: Readonly<Record<string, unknown>>): Verdict {
  const word = String(found['status']).toLowerCase()
  const mx = String(found['mx_found']).toLowerCase()
  const free = found['free_email']
  return {
    status: STATUSES.find((each) => each === word) ?? 'unknown',
    sub_status:
      textOrNull(found['sub_status'])
        ?.toLowerCase()
        .replace(/^possible_traps$/, 'possible_trap') ?? null,
    is_free_email: typeof free === 'boolean' ? free : null,
    did_you_mean: textOrNull(found['did_you_mean']),
    domain_age_days: textOrNull(found['domain_age_days']),
    smtp_provider: textOrNull(found['smtp_provider'])?.toLowerCase() ?? null,
    mx_found: mx === 'true' || mx === 'false' ? mx : null,
    mx_record: textOrNull(found['mx_record']),
    notes: [],
  }
}

/** An empty account is distinguished from a wrong key by its credits: -1 for an invalid key. */
async function accountFault(error: Fault, context: ProviderContext): Promise<Fault> {
  try {
    const { Credits: left } = await context.api.json({ path: '/getcredits' }, credits)
    return Number(left) < 0 ? error : new Fault('quota', 'The ZeroBounce account has no credits left.', { cause: error })
  } catch (failure) {
    if (!Fault.is(failure)) throw failure
    return error
  }
}
