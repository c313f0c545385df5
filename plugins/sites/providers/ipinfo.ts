import { httpProvider, nullable, Type } from '../../../core/sdk/index.js'
import { ipinfo as vendor } from '../../_vendors/ipinfo.js'
import { sitesHosting } from '../contract.js'
import { asnOf, countryCode, named } from '../parts/hosting/network-text.js'

const text = () => Type.Optional(nullable(Type.String()))

/** The common part of both products' answers; a private address is `bogon`. */
const reply = Type.Object({
  ip: Type.String(),
  bogon: Type.Optional(nullable(Type.Boolean())),
  asn: text(),
  as_name: text(),
  country_code: text(),
  is_hosting: Type.Optional(nullable(Type.Boolean())),
  geo: Type.Optional(nullable(Type.Object({ city: text(), country_code: text() }))),
  as: Type.Optional(nullable(Type.Object({ asn: text(), name: text(), type: text() }))),
})

export const ipinfo = httpProvider(sitesHosting, {
  vendor,
  rank: 20,
  request: ({ ip }, { settings }) => ({
    path: `/${settings.plan === 'core' ? 'lookup' : 'lite'}/${ip}`,
    headers: { accept: 'application/json' },
  }),
  reply,
  map: ({ bogon, asn, as_name, country_code, is_hosting, geo, as }) => {
    if (bogon === true) return null
    const facts = {
      asn: asnOf(asn ?? as?.asn),
      asn_org: named(as_name ?? as?.name),
      country: countryCode(country_code ?? geo?.country_code),
      city: named(geo?.city),
    }
    if (Object.values(facts).every((value) => value === null)) return null
    const hosting = is_hosting === true || as?.type === 'hosting' ? true : (is_hosting ?? null)
    return { ...facts, hosting, located: true }
  },
})
