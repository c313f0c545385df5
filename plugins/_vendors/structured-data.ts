import { vendor } from '../../core/sdk/index.js'

/** The gateway itself, taking values from what a source says for machines, without a model. */
export const structuredData = vendor({ id: 'structured-data', title: 'Structured data of the source (local)' })
