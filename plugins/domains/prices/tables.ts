import { isDefinite, mostUseful, Type, type Fault, type HandlerContext, type Static } from '../../../core/sdk/index.js'
import { prices as port, type ExtensionPrice, type Price } from '../contract.js'

/** One vendor's prices, and the date of the request. */
const table = Type.Object({
  date: Type.String(),
  rows: Type.Array(
    Type.Object({
      tld: Type.String(),
      registration: Type.Union([Type.Number(), Type.Null()]),
      renewal: Type.Union([Type.Number(), Type.Null()]),
      currency: Type.String(),
    }),
  ),
})
type Table = Static<typeof table>

const KEPT = { shape: table, seconds: 86_400, staleSeconds: 86_400, missingSeconds: 60 } as const
/** Most extensions in one note. */
const MOST_NAMED = 10
const VENDOR_MS = 8_000
/** Time limit when prices are optional. */
const ASIDE_MS = 3_000

/** The prices of one vendor. */
export interface VendorTable {
  readonly id: string
  readonly table: Table
}

/** The prices of the vendors that answered, and the Faults of the others. */
export interface VendorTables {
  readonly tables: readonly VendorTable[]
  readonly failures: readonly Fault[]
}

/** Today in UTC, as YYYY-MM-DD. */
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/**
 * Each vendor's prices of these extensions. A vendor's full list is cached for a day; one without a list is queried
 * for these extensions, unless `listsOnly`. A failing vendor is left out, named in the notes when `noted`, and called
 * again by the next call.
 */
export async function tablesOf(
  tlds: readonly string[],
  context: HandlerContext,
  { listsOnly, noted }: { readonly listsOnly: boolean; readonly noted: boolean },
): Promise<VendorTables> {
  const failures: Fault[] = []
  const found = await Promise.all(
    context.providers(port).map(async ({ id, title, serves }): Promise<VendorTable[]> => {
      const whole = serves({ tlds: [] })
      if (!whole && (listsOnly || !serves({ tlds: [...tlds] }))) return []
      const wanted = whole ? [] : [...tlds].sort()
      const kept = await context.aside((side) => side.cache.get(['prices', id, ...wanted], KEPT, (own) => loaded(id, wanted, own)), {
        withinMs: noted ? VENDOR_MS : ASIDE_MS,
        ...(noted ? { about: `Prices of ${title}` } : {}),
        onFailure: (fault) => failures.push(fault),
      })
      return kept === null ? [] : [{ id, table: kept }]
    }),
  )
  return { tables: found.flat(), failures }
}

async function loaded(id: string, tlds: string[], context: HandlerContext): Promise<Table> {
  const { prices: rows } = await context.call(port, { tlds }, { only: id })
  return { date: today(), rows }
}

export interface UsualPrices {
  /** By extension, of the first vendor that has one; extensions without a price are absent. */
  readonly found: ReadonlyMap<string, Price>
  /** The failure of a vendor that may have had the others; null when every vendor answered. */
  readonly failure: Fault | null
}

/** Prices of these extensions from vendors with a full list. */
export async function usualPrices(tlds: readonly string[], context: HandlerContext): Promise<UsualPrices> {
  const wanted = new Set(tlds)
  const found = new Map<string, Price>()
  const { tables, failures } = await tablesOf(tlds, context, { listsOnly: true, noted: false })
  for (const { id, table } of tables)
    for (const row of table.rows) if (wanted.has(row.tld) && !found.has(row.tld)) found.set(row.tld, priceOf(row, { id, date: table.date }))
  const failed = failures.filter((fault) => !isDefinite(fault))
  return { found, failure: failed.length === 0 ? null : mostUseful(failed) }
}

/** Notes the extensions without a price because a vendor failed, so that null is not read as "not for sale". */
export function notePrices(missing: readonly string[], failure: Fault | null, context: HandlerContext): void {
  if (failure === null || missing.length === 0) return
  const named = missing.slice(0, MOST_NAMED).join(', ')
  const more = missing.length > MOST_NAMED ? ` and ${String(missing.length - MOST_NAMED)} more` : ''
  context.note(`No price of ${named}${more}: ${failure.message.replace(/[.]$/, '')}.`)
}

/** A row of a vendor's prices with its vendor and date. */
export function priceOf({ registration, renewal, currency }: ExtensionPrice, { id, date }: { id: string; date: string }): Price {
  return { registration, renewal, currency, source: id, date }
}
