import { vendor } from '../../core/sdk/index.js'

/** The gateway itself, generating names from words, without a model. */
export const wordlist = vendor({ id: 'wordlist', title: 'Word lists (local)' })
