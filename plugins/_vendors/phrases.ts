import { vendor } from '../../core/sdk/index.js'

/** The gateway itself, matching what capabilities declare of themselves, with the help of a model where there is one. */
export const phrases = vendor({ id: 'phrases', title: 'Phrases of the capabilities (local)' })
