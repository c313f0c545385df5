import { nullable, oneOf, provider, Type } from '../../../core/sdk/index.js'
import { ipApi as vendor } from '../../_vendors/ip-api.js'
import { sitesHosting } from '../contract.js'
import { asnOf, countryCode, named } from '../parts/hosting/network-text.js'

const FIELDS = 'status,message,countryCode,city,isp,org,as,hosting,query'
const text = () => Type.Optional(nullable(Type.String()))

/** A failure has status 200 too. */
const reply = Type.Object({
  status: oneOf('success', 'fail'),
  countryCode: text(),
  city: text(),
  isp: text(),
  org: text(),
  as: text(),
  hosting: Type.Optional(nullable(Type.Boolean())),
})

export const ipApi = provider(sitesHosting, {
  vendor,
  rank: 30,
  timeoutMs: 8_000,
  run: async ({ ip }, ctx) => {
    const paid = ctx.secret('key') !== ''
    const found = await ctx.api.json({ ...(paid ? { host: 'pro' } : {}), path: `/json/${ip}`, query: { fields: FIELDS } }, reply)
    if (found.status === 'fail') return null
    const facts = {
      asn: asnOf(found.as),
      asn_org: named((found.as ?? '').replace(/^AS\d+ ?/i, '')) ?? named(found.org) ?? named(found.isp),
      country: countryCode(found.countryCode),
      city: named(found.city),
    }
    if (Object.values(facts).every((value) => value === null)) return null
    return { ...facts, hosting: found.hosting ?? null, located: true }
  },
})
