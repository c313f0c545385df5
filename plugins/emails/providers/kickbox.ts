import { provider, Type } from '../../../core/sdk/index.js'
import { kickbox as vendor } from '../../_vendors/kickbox.js'
import { verifyVendors, type Verdict } from '../verify/contract.js'
import { verdictOf, type Finding } from '../verify/finding.js'
import { correctionOf } from '../verify/vendor-values.js'

const TIMEOUT_MS = 15_000
const TRY_MS = 18_000

const reply = Type.Object({
  success: Type.Optional(Type.Unknown()),
  result: Type.String(),
  reason: Type.Optional(Type.Unknown()),
  role: Type.Optional(Type.Unknown()),
  free: Type.Optional(Type.Unknown()),
  disposable: Type.Optional(Type.Unknown()),
  accept_all: Type.Optional(Type.Unknown()),
  did_you_mean: Type.Optional(Type.Unknown()),
})

/** GET /verify; a verification costs a credit, which is refunded for `unknown`. */
export const kickbox = provider(verifyVendors, {
  vendor,
  rank: 30,
  timeoutMs: TRY_MS,
  run: async ({ address, local }, ctx): Promise<Verdict> => {
    const found = await ctx.api.json({ path: '/verify', query: { email: address, timeout: TIMEOUT_MS } }, reply)
    const { result, reason, role, free, disposable, accept_all, did_you_mean } = found
    const word = result.toLowerCase()
    if (word !== 'unknown') ctx.cost(1, 'credits')
    return {
      ...verdictOf(
        findingOf(word, typeof reason === 'string' ? reason.toLowerCase() : '', {
          role: role === true,
          disposable: disposable === true,
          acceptAll: accept_all === true,
        }),
      ),
      is_free_email: typeof free === 'boolean' ? free : null,
      did_you_mean: correctionOf(did_you_mean, local),
    }
  },
})

const UNDELIVERABLE: Readonly<Record<string, string>> = {
  invalid_email: 'failed_syntax_check',
  invalid_domain: 'no_dns_entries',
  rejected_email: 'mailbox_not_found',
  invalid_smtp: 'does_not_accept_mail',
}
const UNKNOWN: Readonly<Record<string, string>> = {
  no_connect: 'failed_smtp_connection',
  timeout: 'timeout_exceeded',
  unavailable_smtp: 'mail_server_did_not_respond',
  unexpected_error: 'exception_occurred',
}

interface Marks {
  readonly role: boolean
  readonly disposable: boolean
  readonly acceptAll: boolean
}

function findingOf(result: string, reason: string, { role, disposable, acceptAll }: Marks): Finding {
  switch (result) {
    case 'deliverable':
      return { status: 'valid', sub_status: role && acceptAll ? 'role_based_accept_all' : null }
    case 'undeliverable':
      return { status: 'invalid', sub_status: UNDELIVERABLE[reason] ?? null }
    case 'risky':
      if (disposable) return { status: 'do_not_mail', sub_status: 'disposable' }
      if (role) return { status: 'do_not_mail', sub_status: 'role_based' }
      return acceptAll ? { status: 'catch-all', sub_status: null } : { status: 'unknown', sub_status: null }
    default:
      return { status: 'unknown', sub_status: UNKNOWN[reason] ?? null }
  }
}
