import { Type, httpProvider } from '../../../../../../core/sdk/index.js'
import { skies } from '../../_vendors/skies.js'
import { observe } from '../contract.js'

const reply = Type.Object({ report: Type.Optional(Type.Object({ text: Type.String(), temp: Type.Optional(Type.Number()) })) })

export const serve = httpProvider(observe, {
  vendor: skies,
  rank: 10,
  request: ({ place, days }) => ({ path: '/v2/observe', query: { place, days } }),
  reply,
  map: ({ report }) => (report === undefined ? null : { summary: report.text, degrees: report.temp ?? null }),
})
