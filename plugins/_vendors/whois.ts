import { vendor } from '../../core/sdk/index.js'

/** The WHOIS servers of the registries (RFC 3912). The operator's `net.whois` is queried first when set. */
export const whois = vendor({ id: 'whois', title: 'WHOIS (open service)', home: 'https://www.iana.org/domains/root/db' })
