import { httpProvider, isRecord, Type } from '../../../core/sdk/index.js'
import { reacher as vendor } from '../../_vendors/reacher.js'
import { mailProviderOf } from '../mail-hosts/provider-of.js'
import { verifyVendors, type Verdict } from '../verify/contract.js'
import { verdictOf, type Finding } from '../verify/finding.js'
import { correctionOf } from '../verify/vendor-values.js'

const TRY_MS = 20_000
const NOTHING: Readonly<Record<string, unknown>> = {}

/** POST /v1/check_email. Each part of the answer may be an error instead of data. */
export const reacher = httpProvider(verifyVendors, {
  vendor,
  rank: 40,
  timeoutMs: TRY_MS,
  request: ({ address }) => ({ method: 'POST', path: '/v1/check_email', json: { to_email: address } }),
  reply: Type.Object({
    is_reachable: Type.String(),
    misc: Type.Optional(Type.Unknown()),
    mx: Type.Optional(Type.Unknown()),
    smtp: Type.Optional(Type.Unknown()),
    syntax: Type.Optional(Type.Unknown()),
  }),
  map: (reply, { local }): Verdict => {
    const [misc, mx, smtp, syntax] = [reply.misc, reply.mx, reply.smtp, reply.syntax].map((part) => (isRecord(part) ? part : NOTHING))
    const hosts = hostsOf(mx?.['records'])
    return {
      ...verdictOf(findingOf(reply.is_reachable.toLowerCase(), { misc, mx, smtp, syntax })),
      is_free_email: typeof misc?.['is_b2c'] === 'boolean' ? misc['is_b2c'] : null,
      did_you_mean: correctionOf(syntax?.['suggestion'], local),
      smtp_provider: mailProviderOf(hosts)?.id ?? null,
      mx_found: typeof mx?.['accepts_mail'] === 'boolean' ? (mx['accepts_mail'] ? 'true' : 'false') : null,
      mx_record: hosts[0] ?? null,
    }
  },
})

type Part = Readonly<Record<string, unknown>> | undefined

interface Parts {
  readonly misc: Part
  readonly mx: Part
  readonly smtp: Part
  readonly syntax: Part
}

function findingOf(reachable: string, parts: Parts): Finding {
  switch (reachable) {
    case 'safe':
      return { status: 'valid', sub_status: null }
    case 'risky':
      return risky(parts)
    case 'invalid':
      return invalid(parts)
    default:
      return { status: 'unknown', sub_status: whyUnknown(parts.smtp) }
  }
}

function risky({ misc, smtp }: Parts): Finding {
  const role = misc?.['is_role_account'] === true
  if (misc?.['is_disposable'] === true) return { status: 'do_not_mail', sub_status: 'disposable' }
  if (smtp?.['is_catch_all'] === true)
    return role ? { status: 'do_not_mail', sub_status: 'role_based_catch_all' } : { status: 'catch-all', sub_status: null }
  if (role) return { status: 'do_not_mail', sub_status: 'role_based' }
  return smtp?.['has_full_inbox'] === true
    ? { status: 'invalid', sub_status: 'mailbox_quota_exceeded' }
    : { status: 'unknown', sub_status: null }
}

function invalid({ mx, smtp, syntax }: Parts): Finding {
  if (syntax?.['is_valid_syntax'] === false) return { status: 'invalid', sub_status: 'failed_syntax_check' }
  if (mx?.['accepts_mail'] === false) return { status: 'invalid', sub_status: 'no_dns_entries' }
  if (smtp?.['can_connect_smtp'] === false) return { status: 'unknown', sub_status: 'failed_smtp_connection' }
  return { status: 'invalid', sub_status: 'mailbox_not_found' }
}

/** The server's own address may be blocked, which proves nothing about the mailbox. */
function whyUnknown(smtp: Part): string {
  if (smtp?.['description'] === 'IpBlacklisted' || smtp?.['description'] === 'NeedsRDNS') return 'antispam_system'
  const error = smtp?.['error']
  return isRecord(error) && error['type'] === 'Timeout' ? 'timeout_exceeded' : 'exception_occurred'
}

/** Names of MX records end with the root dot. */
function hostsOf(records: unknown): readonly string[] {
  const names: readonly unknown[] = Array.isArray(records) ? records : []
  return names.flatMap((name) => (typeof name === 'string' && name !== '' ? [name.toLowerCase().replace(/\.$/, '')] : []))
}
