import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../../../core/runtime/root.js'
import type { InvoiceSet, MadeInvoice } from './types.js'

/** Layouts that authors of the parser may inspect; those by which the parser is scored; and those with extras between subtotal and total, in more languages. */
export const GROUPS = ['open', 'scored', 'extras'] as const
export type Group = (typeof GROUPS)[number]

/** The layouts of a group: whatever its `index.ts` exports as lists of sets; none where the folder is not there. */
export async function setsOf(group: Group): Promise<InvoiceSet[]> {
  const file = join(packageRoot(), 'dist', 'scripts', 'bench', 'invoices', group, 'index.js')
  if (!existsSync(file)) return []
  const module: unknown = await import(pathToFileURL(file).href)
  const exported: unknown[] = typeof module === 'object' && module !== null ? Object.values(module) : []
  return exported.flatMap((value): unknown[] => (Array.isArray(value) ? value : [value])).filter(isSet)
}

/** The invoices of all layouts, each with the name of its layout. */
export function invoicesOf(sets: readonly InvoiceSet[]): (MadeInvoice & { readonly set: string })[] {
  return sets.flatMap((set) => set.invoices().map((invoice) => ({ ...invoice, set: set.name })))
}

function isSet(value: unknown): value is InvoiceSet {
  return typeof value === 'object' && value !== null && 'name' in value && 'invoices' in value && typeof value.invoices === 'function'
}
