import { vendor } from '../../core/sdk/index.js'

/** Electronic invoices, parsed by the gateway itself. */
export const eInvoice = vendor({ id: 'e-invoice', title: 'Electronic invoices (local)' })
