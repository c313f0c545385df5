import { vendor } from '../../core/sdk/index.js'

/** The gateway itself, querying name servers, TLS servers and pages. */
export const local = vendor({ id: 'local', title: 'The gateway itself (local)' })
