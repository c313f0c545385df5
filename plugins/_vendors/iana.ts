import { vendor } from '../../core/sdk/index.js'

/** IANA's list of top-level domains; a copy is part of the gateway. */
export const iana = vendor({
  id: 'iana',
  title: 'IANA list of top-level domains (local copy)',
  home: 'https://www.iana.org/domains/root/db',
})
