import type { Verdict } from './contract.js'

/** The status of an address and its reason, without other facts. */
export type Finding = Pick<Verdict, 'status' | 'sub_status'>

/** No mail server accepted the question, or answered it in time. */
const UNASKED: readonly (string | null)[] = ['timeout_exceeded', 'failed_smtp_connection', 'mail_server_did_not_respond']

/** Whether the result is unknown because no mail server could be reached: a failed vendor might have known more. */
export function isUnasked({ status, sub_status }: Finding): boolean {
  return status === 'unknown' && UNASKED.includes(sub_status)
}

/** A verdict with only a status. */
export function verdictOf(finding: Finding, notes: readonly string[] = []): Verdict {
  return {
    ...finding,
    is_free_email: null,
    did_you_mean: null,
    domain_age_days: null,
    smtp_provider: null,
    mx_found: null,
    mx_record: null,
    notes: [...notes],
  }
}
