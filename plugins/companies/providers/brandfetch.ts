import { Fault, parseUrl, provider, Type, type ProviderContext } from '../../../core/sdk/index.js'
import { valueAt, listAt } from '../../_shared/value-at.js'
import { brandfetch as vendor } from '../../_vendors/brandfetch.js'
import { companiesBrand } from '../contract.js'
import { emptyRecord, type CompanyRecord } from '../record.js'
import { kindOf } from '../values/kind.js'
import { countOf, placeOf, textAt, webAddress, yearOf } from '../values/read.js'
import { sizeOf } from '../values/size.js'
import { socialLinks } from '../values/social.js'

const Brand = Type.Object({ domain: Type.Optional(Type.Unknown()), name: Type.Optional(Type.Unknown()) })
const Context = Type.Object({ positioning: Type.Optional(Type.Unknown()) })
/** Picture formats, best first. */
const FORMATS = ['svg', 'png', 'webp', 'jpeg']
const CONTEXT_MS = 4_000
/** Serves its pictures only to pages: servers must not fetch them, so their availability is not checked. */
const HOTLINKS = 'cdn.brandfetch.io'

/** A brand by domain, and its positioning as cached by Brand Context; nothing is generated for it. */
export const brandfetch = provider(companiesBrand, {
  vendor,
  rank: 10,
  timeoutMs: 10_000,
  run: async ({ domain }, ctx) => {
    const brand = await ctx.api.json({ path: `/v2/brands/domain/${encodeURIComponent(domain)}` }, Brand)
    if (textAt(brand, 'name') === null && textAt(brand, 'domain') === null) return null
    return { ...brandOf(brand), ...(ctx.timeLeft() > CONTEXT_MS ? await contextOf(domain, ctx) : {}) }
  },
})

function brandOf(brand: unknown): CompanyRecord {
  const employees = countOf(valueAt(brand, 'company', 'employees'))
  const symbol = textAt(brand, 'company', 'financialIdentifiers', 'ticker', 0)
  const claimed = valueAt(brand, 'claimed')
  const [logos, icons] = [picturesOf(brand, ['logo']), picturesOf(brand, ['icon', 'symbol'])]
  return {
    ...emptyRecord(),
    company_name: textAt(brand, 'name'),
    domain: textAt(brand, 'domain'),
    description: textAt(brand, 'longDescription') ?? textAt(brand, 'description'),
    industry: textAt(brand, 'company', 'industries', 0, 'name'),
    company_size: sizeOf(employees),
    headquarters: placeOf(valueAt(brand, 'company', 'location', 'city'), valueAt(brand, 'company', 'location', 'country')),
    founded_year: yearOf(valueAt(brand, 'company', 'foundedYear')),
    employees,
    listing: symbol === null ? null : { symbol, exchange: null },
    social_links: socialLinks(listAt(brand, 'links').map((link) => textAt(link, 'url'))),
    colours: coloursOf(brand),
    logos,
    icons,
    answered: [...logos, ...icons].filter((url) => parseUrl(url)?.hostname === HOTLINKS),
    company_kind: kindOf(textAt(brand, 'company', 'kind')),
    is_claimed: typeof claimed === 'boolean' ? claimed : null,
    remarks: employees === null ? [] : [{ field: 'employees', text: 'the lower end of a band' }],
  }
}

/** Accent, then brand, then the others. */
function coloursOf(brand: unknown): string[] {
  const order = ['accent', 'brand', 'dark', 'light']
  const place = (colour: unknown): number => (order.indexOf(textAt(colour, 'type') ?? '') + order.length + 1) % (order.length + 1)
  return [...listAt(brand, 'colors')].sort((one, other) => place(one) - place(other)).flatMap((colour) => textAt(colour, 'hex') ?? [])
}

/** Addresses of pictures by type, in the order of types and then of formats. */
function picturesOf(brand: unknown, types: readonly string[]): string[] {
  const all = types.flatMap((type) =>
    listAt(brand, 'logos')
      .filter((logo) => textAt(logo, 'type') === type)
      .flatMap((logo) => listAt(logo, 'formats'))
      .sort((one, other) => rank(one) - rank(other)),
  )
  return [...new Set(all.flatMap((each) => webAddress(valueAt(each, 'src')) ?? []))]
}

function rank(format: unknown): number {
  const place = FORMATS.indexOf(textAt(format, 'format') ?? '')
  return place === -1 ? FORMATS.length : place
}

/** A separate product, which the key may lack, and which answers 204 for uncached brands. */
async function contextOf(
  domain: string,
  ctx: ProviderContext,
): Promise<Partial<Pick<CompanyRecord, 'value_proposition' | 'ideal_customers'>>> {
  try {
    const { positioning } = await ctx.api.json(
      { path: `/v2/context/${encodeURIComponent(domain)}`, query: { cachedOnly: true }, headers: { accept: 'application/json' } },
      Context,
    )
    const segments = listAt(positioning, 'target_audience').flatMap((audience) => textAt(audience, 'segment') ?? [])
    return {
      value_proposition: textAt(positioning, 'value_proposition'),
      ideal_customers: segments.length === 0 ? null : segments.join(', '),
    }
  } catch (error) {
    if (!Fault.is(error) || error.kind === 'credentials' || ctx.signal.aborted) throw error
    ctx.log('Brand Context has nothing', { kind: error.kind })
    return {}
  }
}
