export * from '../../core/sdk/testkit/servers.js'
export { nameServer, type NameServer } from '../../core/sdk/testkit/dns-zones.js'
