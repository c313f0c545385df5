import { readFile } from 'node:fs/promises'
import { getDomain } from '../../_shared/public-suffixes.js'
import { resource } from '../../../core/sdk/index.js'
import { listFile } from './files.js'
import { SortedLines } from './sorted-lines.js'

/** Free subdomains of hosts and domains that the public suffix list lacks; each name below belongs to someone else. */
const SHARED = new Set(
  (
    'allowed.org chickenkiller.com co.cc cu.cc cz.cc flu.cc ftp.sh igg.biz moneyhome.com mooo.com nut.cc soon.it uk.org uk.to undo.it uni.me us.to ' +
    'usa.cc xorg.pl ze.cx ze.tc'
  ).split(' '),
)

/** Domains of disposable mailboxes; loaded on first use. */
export const disposableDomains = resource<SortedLines>({
  id: 'emails.disposable',
  open: async () => new SortedLines(await readFile(listFile('disposable.txt'), 'latin1')),
})

/**
 * True for a listed domain, and for a host below one up to the registrable domain: names above it, such as a public
 * suffix, including private ones, have other owners below them.
 */
export function isDisposable(domain: string, list: SortedLines): boolean {
  if (list.has(domain)) return true
  const registered = getDomain(domain, { allowPrivateDomains: true }) ?? domain
  const above = domain.slice(0, -registered.length).split('.').slice(1)
  const parents = above.map((_, place) => [...above.slice(place, -1), registered].join('.'))
  return parents.some((parent) => !SHARED.has(parent) && list.has(parent))
}
