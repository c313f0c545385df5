import { vendor } from '../../core/sdk/index.js'

/** The gateway itself, putting an answer together from sentences of the sources, without a model. */
export const extractive = vendor({ id: 'extractive', title: 'Sentences of the sources (local)' })
