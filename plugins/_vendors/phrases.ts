import { vendor } from '../../core/sdk/index.js'

/** The gateway itself, matching the phrases that capabilities declare, with a model if one is live. */
export const phrases = vendor({ id: 'phrases', title: 'Phrases of the capabilities (local)' })
