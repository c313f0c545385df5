import { readFile } from 'node:fs/promises'
import { getDomain } from '../../_shared/public-suffixes.js'
import { resource } from '../../../core/sdk/index.js'
import { listFile } from './files.js'
import { SortedLines } from './sorted-lines.js'

/** Below these anybody has a name of their own, though the list of public suffixes lacks them: free names of hosts and of domains. */
const SHARED = new Set(
  (
    'allowed.org chickenkiller.com co.cc cu.cc cz.cc flu.cc ftp.sh igg.biz moneyhome.com mooo.com nut.cc soon.it uk.org uk.to undo.it uni.me us.to ' +
    'usa.cc xorg.pl ze.cx ze.tc'
  ).split(' '),
)

/** Domains of mailboxes that are thrown away after use; read when first needed. */
export const disposableDomains = resource<SortedLines>({
  id: 'emails.disposable',
  open: async () => new SortedLines(await readFile(listFile('disposable.txt'), 'latin1')),
})

/**
 * True for a domain of the list, and for a host below one up to the registered domain: what is above that, such as a public suffix, also of a private
 * owner, has other owners below it.
 */
export function isDisposable(domain: string, list: SortedLines): boolean {
  if (list.has(domain)) return true
  const registered = getDomain(domain, { allowPrivateDomains: true }) ?? domain
  const above = domain.slice(0, -registered.length).split('.').slice(1)
  const parents = above.map((_, place) => [...above.slice(place, -1), registered].join('.'))
  return parents.some((parent) => !SHARED.has(parent) && list.has(parent))
}
