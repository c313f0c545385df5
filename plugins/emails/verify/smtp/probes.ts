import { createHash } from 'node:crypto'
import type { CapTaken, Services } from '../../../../core/sdk/index.js'
import type { EmailSettings } from '../../settings.js'

/** The part of a call's context used by a conversation with a mail server. */
export type MailContext = Pick<Services, 'net' | 'signal' | 'use' | 'wait' | 'caps' | 'caller' | 'requestId'> & {
  readonly settings: Readonly<EmailSettings>
}

/** Counts one mailbox toward the daily `probes_per_account_per_day`. Throws a `busy` Fault at the limit. */
export function takeProbe({ caps, settings }: Pick<MailContext, 'caps' | 'settings'>): Promise<CapTaken> {
  return caps.take('mailbox_probes', { most: settings.probes_per_account_per_day, per: 'day', setting: 'probes_per_account_per_day' })
}

/** A local part that does not exist, different for each call; `about` is the address or domain in question. */
export function unusedLocal(requestId: string, about: string): string {
  return `x${createHash('sha256').update(`${requestId} ${about}`).digest('hex').slice(0, 19)}`
}

/** Remaining milliseconds, counted from now on. */
export function timer(ms: number): () => number {
  const began = performance.now()
  return () => ms - (performance.now() - began)
}
