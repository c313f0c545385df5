import { vendor } from '../../core/sdk/index.js'

/** The gateway itself, composing an answer from sentences of the sources, without a model. */
export const extractive = vendor({ id: 'extractive', title: 'Sentences of the sources (local)' })
