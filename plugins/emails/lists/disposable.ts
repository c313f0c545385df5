import { readFile } from 'node:fs/promises'
import { resource } from '../../../core/sdk/index.js'
import { listFile } from './files.js'
import { SortedLines } from './sorted-lines.js'

/** Domains of mailboxes that are thrown away after use; read when first needed. */
export const disposableDomains = resource<SortedLines>({
  id: 'emails.disposable',
  open: async () => new SortedLines(await readFile(listFile('disposable.txt'), 'latin1')),
})

/** True for a domain of the list, and for a host below one. */
export function isDisposable(domain: string, list: SortedLines): boolean {
  const labels = domain.split('.')
  return labels.slice(0, -1).some((_, place) => list.has(labels.slice(place).join('.')))
}
