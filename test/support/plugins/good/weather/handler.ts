import { handle } from '../../../../../core/sdk/index.js'
import { observe, weather } from './contract.js'

export const answer = handle(weather, async ({ place, mode }, context) => {
  const { summary, degrees } = await context.call(observe, { place })
  return { text: mode === 'short' || degrees === null ? summary : `${summary} It has ${String(degrees)} degrees.` }
})
