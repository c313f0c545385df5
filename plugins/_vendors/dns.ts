import { vendor } from '../../core/sdk/index.js'

/** The name servers of the gateway: `net.dns` or those of the system. */
export const dns = vendor({ id: 'dns', title: 'DNS (open service)', home: 'https://www.rfc-editor.org/rfc/rfc1034' })
