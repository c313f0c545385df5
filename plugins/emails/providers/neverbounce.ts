import { isRecord, provider, Type } from '../../../core/sdk/index.js'
import { neverbounce as vendor } from '../../_vendors/neverbounce.js'
import { verifyVendors, type Verdict } from '../verify/contract.js'
import { verdictOf, type Finding } from '../verify/finding.js'
import { correctionOf } from '../verify/vendor-values.js'

const TIMEOUT_S = 15
const TRY_MS = 18_000

const reply = Type.Object({
  status: Type.Literal('success'),
  result: Type.String(),
  flags: Type.Optional(Type.Unknown()),
  suggested_correction: Type.Optional(Type.Unknown()),
  credits_info: Type.Optional(Type.Unknown()),
})

/** POST /single/check, which states its cost. */
export const neverbounce = provider(verifyVendors, {
  vendor,
  rank: 20,
  timeoutMs: TRY_MS,
  run: async ({ address, local }, ctx): Promise<Verdict> => {
    const json = { email: address, credits_info: 1, timeout: TIMEOUT_S }
    const {
      result,
      flags: given,
      suggested_correction,
      credits_info,
    } = await ctx.api.json({ method: 'POST', path: '/single/check', json }, reply)
    const cost = creditsOf(credits_info)
    if (cost > 0) ctx.cost(cost, 'credits')
    const flags: readonly unknown[] = Array.isArray(given) ? given : []
    const has = (flag: string): boolean => flags.includes(flag)
    const flagged = flags.length > 0
    return {
      ...verdictOf(findingOf(result.toLowerCase(), flagged, has)),
      is_free_email: flagged ? has('free_email_host') : null,
      did_you_mean: correctionOf(suggested_correction, local),
      mx_found: flagged ? (has('has_dns_mx') ? 'true' : 'false') : null,
    }
  },
})

/** Paid and free credits used by this check. */
function creditsOf(info: unknown): number {
  const used = isRecord(info) ? [info['paid_credits_used'], info['free_credits_used']] : []
  return used.reduce<number>((sum, each) => sum + (typeof each === 'number' && each > 0 ? each : 0), 0)
}

/** `flagged` is true when the reply has flags: without, the DNS state is unknown. */
function findingOf(result: string, flagged: boolean, has: (flag: string) => boolean): Finding {
  if (has('spamtrap_network')) return { status: 'spamtrap', sub_status: null }
  switch (result) {
    case 'valid':
      return { status: 'valid', sub_status: has('role_account') ? 'role_based' : null }
    case 'invalid':
      return { status: 'invalid', sub_status: flagged ? whyInvalid(has) : null }
    case 'disposable':
      return { status: 'do_not_mail', sub_status: 'disposable' }
    case 'catchall':
      return { status: 'catch-all', sub_status: null }
    default:
      return { status: 'unknown', sub_status: whyUnknown(has) }
  }
}

function whyInvalid(has: (flag: string) => boolean): string {
  if (has('bad_syntax')) return 'failed_syntax_check'
  if (has('bad_dns') || !has('has_dns')) return 'no_dns_entries'
  return has('spelling_mistake') ? 'possible_typo' : 'mailbox_not_found'
}

function whyUnknown(has: (flag: string) => boolean): string | null {
  if (has('connect_fails')) return 'failed_smtp_connection'
  return has('temporary_dns_error') ? 'mail_server_temporary_error' : null
}
