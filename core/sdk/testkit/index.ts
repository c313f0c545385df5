/**
 * Servers on loopback for the tests of plugins, exported as `capstan/sdk/testkit`. The gateway does not import it: it
 * is for tests only.
 */
export * from './certificates.js'
export * from './dns-server.js'
export * from './dns-zones.js'
export type { ServerFault } from './faults.js'
export * from './https-server.js'
export * from './line-servers.js'
export * from './polling-vendor.js'
export * from './rdap-server.js'
export * from './s3-objects.js'
export * from './s3-server.js'
export * from './s3-verifier.js'
export * from './servers.js'
export * from './smtp-server.js'
export * from './whois-server.js'
