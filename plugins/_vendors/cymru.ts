import { vendor } from '../../core/sdk/index.js'

/** Team Cymru's list of announced networks, queried over DNS without an account. */
export const cymru = vendor({
  id: 'cymru',
  title: 'Team Cymru IP to ASN (open service)',
  home: 'https://www.team-cymru.com/ip-asn-mapping',
})
