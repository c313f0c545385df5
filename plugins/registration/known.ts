import { resource } from '../../core/sdk/index.js'
import { Hosts } from './hosts.js'
import { WhoisServers } from './whois-servers.js'

/** State shared by all lookups of one gateway: registries and their servers. */
export interface Known {
  readonly hosts: Hosts
  readonly whoisServers: WhoisServers
}

export const known = resource<Known>({
  id: 'registration.known',
  open: () => Promise.resolve({ hosts: new Hosts(), whoisServers: new WhoisServers() }),
})
