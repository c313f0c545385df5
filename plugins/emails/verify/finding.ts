import type { Verdict } from './contract.js'

/** The status of an address and why, without what else is known of it. */
export type Finding = Pick<Verdict, 'status' | 'sub_status'>

/** A verdict of which only the status is known. */
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
