import { resource } from '../../core/sdk/index.js'
import { Hosts } from './hosts.js'
import { WhoisServers } from './whois-servers.js'

/** What look-ups of one gateway know of registries and their servers. */
export interface Known {
  readonly hosts: Hosts
  readonly whoisServers: WhoisServers
}

export const known = resource<Known>({
  id: 'registration.known',
  open: () => Promise.resolve({ hosts: new Hosts(), whoisServers: new WhoisServers() }),
})
