import { httpProvider, Type } from '../../../core/sdk/index.js'
import { neverbounce as vendor } from '../../_vendors/neverbounce.js'
import { verifyVendors, type Verdict } from '../verify/contract.js'
import { bare, type Said } from '../verify/facts.js'
import { correctionOf } from '../verify/vendor-values.js'

const TIMEOUT_S = 15
const TRY_MS = 18_000

/** POST /single/check. */
export const neverbounce = httpProvider(verifyVendors, {
  vendor,
  rank: 20,
  timeoutMs: TRY_MS,
  request: ({ address }) => ({ method: 'POST', path: '/single/check', json: { email: address, timeout: TIMEOUT_S } }),
  reply: Type.Object({
    status: Type.Literal('success'),
    result: Type.String(),
    flags: Type.Optional(Type.Unknown()),
    suggested_correction: Type.Optional(Type.Unknown()),
  }),
  map: ({ result, flags: given, suggested_correction }, { local }): Verdict => {
    const flags: readonly unknown[] = Array.isArray(given) ? given : []
    const has = (flag: string): boolean => flags.includes(flag)
    const told = flags.length > 0
    return {
      ...bare(saidOf(result.toLowerCase(), has)),
      is_free_email: told ? has('free_email_host') : null,
      did_you_mean: correctionOf(suggested_correction, local),
      mx_found: told ? (has('has_dns_mx') ? 'true' : 'false') : null,
    }
  },
})

function saidOf(result: string, has: (flag: string) => boolean): Said {
  if (has('spamtrap_network')) return { status: 'spamtrap', sub_status: null }
  switch (result) {
    case 'valid':
      return { status: 'valid', sub_status: has('role_account') ? 'role_based' : null }
    case 'invalid':
      return { status: 'invalid', sub_status: whyInvalid(has) }
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

function whyUnknown(has: (flag: string) => boolean): string {
  if (has('connect_fails')) return 'failed_smtp_connection'
  return has('temporary_dns_error') ? 'mail_server_temporary_error' : 'timeout_exceeded'
}
