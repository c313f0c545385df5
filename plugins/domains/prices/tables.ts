import { isDefinite, mostUseful, Type, type Fault, type HandlerContext, type Static } from '../../../core/sdk/index.js'
import { prices as port, type ExtensionPrice, type Price } from '../contract.js'

/** One vendor's prices, and the day on which it was asked. */
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
/** Extensions of one note. */
const MOST_NAMED = 10
const VENDOR_MS = 8_000
/** Where prices only come along. */
const ASIDE_MS = 3_000

/** The prices of one vendor. */
export interface VendorTable {
  readonly id: string
  readonly table: Table
}

/** The prices of the vendors that answered, and why the others did not. */
export interface VendorTables {
  readonly tables: readonly VendorTable[]
  readonly failures: readonly Fault[]
}

/** Today in UTC, as YYYY-MM-DD. */
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/**
 * What each vendor asks for these extensions. A vendor's whole list is kept for a day; one that has no list is asked about these extensions, unless
 * `listsOnly`. A vendor that fails is left out, named in the notes when `noted`, and asked again by the next call.
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
  /** By extension, of the first vendor that has one; extensions that nobody prices are left out. */
  readonly found: ReadonlyMap<string, Price>
  /** Why a vendor that may have had the others has none; null when each was asked. */
  readonly failure: Fault | null
}

/** What vendors with a whole list ask for these extensions. */
export async function usualPrices(tlds: readonly string[], context: HandlerContext): Promise<UsualPrices> {
  const wanted = new Set(tlds)
  const found = new Map<string, Price>()
  const { tables, failures } = await tablesOf(tlds, context, { listsOnly: true, noted: false })
  for (const { id, table } of tables)
    for (const row of table.rows) if (wanted.has(row.tld) && !found.has(row.tld)) found.set(row.tld, priceOf(row, { id, date: table.date }))
  const failed = failures.filter((fault) => !isDefinite(fault))
  return { found, failure: failed.length === 0 ? null : mostUseful(failed) }
}

/** Says in the notes of which extensions there is no price because a vendor failed, so that null is not taken for "nobody sells it". */
export function notePrices(missing: readonly string[], failure: Fault | null, context: HandlerContext): void {
  if (failure === null || missing.length === 0) return
  const named = missing.slice(0, MOST_NAMED).join(', ')
  const more = missing.length > MOST_NAMED ? ` and ${String(missing.length - MOST_NAMED)} more` : ''
  context.note(`No price of ${named}${more}: ${failure.message.replace(/[.]$/, '')}.`)
}

/** A row of a vendor's prices with where and when it was had. */
export function priceOf({ registration, renewal, currency }: ExtensionPrice, { id, date }: { id: string; date: string }): Price {
  return { registration, renewal, currency, source: id, date }
}
