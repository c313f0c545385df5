import { vendor } from '../../core/sdk/index.js'

/** A plain HTTP fetch by the gateway itself, through the guard. */
export const direct = vendor({ id: 'direct', title: 'Direct fetch (local)' })
