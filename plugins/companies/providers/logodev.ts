import { Fault, nullable, provider, Type, type ProviderContext } from '../../../core/sdk/index.js'
import { valueAt, listAt } from '../../_shared/value-at.js'
import { logodev as vendor } from '../../_vendors/logodev.js'
import { companiesBrand } from '../contract.js'
import { emptyRecord, type CompanyRecord } from '../record.js'
import { textAt, textOf } from '../values/read.js'
import { socialLinks } from '../values/social.js'

interface Settings {
  readonly publishable_key: string | null
}

const Described = Type.Object({ name: Type.Optional(nullable(Type.String())) })
const LOGO = 256
const ICON = 64

/** The logo of a domain, which is requested once; with a secret key also name, description, colours and profiles. */
export const logodev = provider(companiesBrand, {
  vendor,
  rank: 20,
  timeoutMs: 10_000,
  needs: ['publishable_key'],
  run: async ({ domain }, ctx) => {
    const token = ctx.settings.publishable_key ?? ''
    const query = { token, format: 'png', size: LOGO, fallback: '404' }
    const { contentType, bytes } = await ctx.api.bytes({ path: `/${encodeURIComponent(domain)}`, query, headers: { accept: 'image/*' } })
    if (bytes.length === 0 || !contentType.startsWith('image/'))
      throw new Fault('broken', 'logo.dev answered with something else than a picture.')
    const [logo, icon] = [LOGO, ICON].map((size) => addressOf(domain, { ...query, size: String(size) }))
    const pictures = { logos: logo === undefined ? [] : [logo], icons: icon === undefined ? [] : [icon] }
    return { ...emptyRecord(), domain, ...pictures, answered: [...pictures.logos, ...pictures.icons], ...(await described(domain, ctx)) }
  },
})

/** The address returned to callers, on logo.dev's own host regardless of the gateway's setting. */
function addressOf(domain: string, query: Readonly<Record<string, string>>): string {
  return `${vendor.baseUrl}/${encodeURIComponent(domain)}?${new URLSearchParams(query).toString()}`
}

/** The brand in the REST API; empty without a secret key, or when the plan lacks it. Rejects when the key itself is refused. */
async function described(domain: string, ctx: ProviderContext<Settings>): Promise<Partial<CompanyRecord>> {
  const key = ctx.secret('secret_key')
  if (key === '') return {}
  try {
    const headers = { authorization: `Bearer ${key}`, 'user-agent': 'Capstan/1.0', accept: 'application/json' }
    const brand = await ctx.api.json({ host: 'api', path: `/describe/${encodeURIComponent(domain)}`, headers }, Described)
    const socials = valueAt(brand, 'socials')
    return {
      company_name: textAt(brand, 'name'),
      description: textAt(brand, 'description'),
      colours: listAt(brand, 'colors').flatMap((colour) => textAt(colour, 'hex') ?? []),
      social_links: socialLinks(typeof socials === 'object' && socials !== null ? Object.values(socials).map(textOf) : []),
    }
  } catch (error) {
    if (!Fault.is(error) || error.status === 401 || ctx.signal.aborted) throw error
    ctx.log('logo.dev has no description', { kind: error.kind })
    return {}
  }
}
