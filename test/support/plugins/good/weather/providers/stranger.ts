import { Type, httpProvider } from '../../../../../../core/sdk/index.js'
import { stranger } from '../../_vendors/stranger.js'
import { observe } from '../contract.js'

export const ask = httpProvider(observe, {
  vendor: stranger,
  request: ({ place }) => ({ method: 'POST', path: '/ask', json: { place } }),
  reply: Type.Object({ answer: Type.String() }),
  map: ({ answer }) => (answer === '' ? null : { summary: answer, degrees: null }),
})
