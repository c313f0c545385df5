import { vendor } from '../../core/sdk/index.js'

/** Rules of this gateway, by which an invoice is read from the places of its words. */
export const layout = vendor({ id: 'layout', title: 'Layout rules (built in)' })
