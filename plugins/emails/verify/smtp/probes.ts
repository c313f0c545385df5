import { createHash } from 'node:crypto'
import type { CapTaken, Services } from '../../../../core/sdk/index.js'
import type { EmailSettings } from '../../settings.js'

/** What a conversation with a mail server needs of its call. */
export type MailContext = Pick<Services, 'net' | 'signal' | 'use' | 'wait' | 'caps' | 'caller' | 'requestId'> & {
  readonly settings: Readonly<EmailSettings>
}

/** Counts one mailbox to the day's `probes_per_account_per_day`. Throws a `busy` Fault when that is used up. */
export function takeProbe({ caps, settings }: Pick<MailContext, 'caps' | 'settings'>): Promise<CapTaken> {
  return caps.take('mailbox_probes', { most: settings.probes_per_account_per_day, per: 'day', setting: 'probes_per_account_per_day' })
}

/** A local part that no mailbox has, another one for each call; `about` is the address or domain that is asked about. */
export function unusedLocal(requestId: string, about: string): string {
  return `x${createHash('sha256').update(`${requestId} ${about}`).digest('hex').slice(0, 19)}`
}

/** Milliseconds that are left of so many, from now on. */
export function timer(ms: number): () => number {
  const began = performance.now()
  return () => ms - (performance.now() - began)
}
