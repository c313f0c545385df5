import { vendor } from '../../core/sdk/index.js'

/** The gateway itself, reading values from a source's structured data, without a model. */
export const structuredData = vendor({ id: 'structured-data', title: 'Structured data of the source (local)' })
