import { provider } from '../../../core/sdk/index.js'
import { phrases as vendor } from '../../_vendors/phrases.js'
import { propose } from '../contract.js'

export const phrases = provider(propose, {
  vendor,
  run: async (question, context) => await (await import('../proposed.js')).proposed(question, context),
})
