import { vendor } from '../../core/sdk/index.js'

/** The gateway itself, making names out of words, without a model. */
export const wordlist = vendor({ id: 'wordlist', title: 'Word lists (local)' })
