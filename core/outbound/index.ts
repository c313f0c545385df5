import type { Clock } from '../runtime/clock.js'
import { AllowList } from './allow.js'
import { VendorApi } from './api.js'
import { Connector, UpstreamProxy } from './connector.js'
import { Guard } from './guard.js'
import type { Hooks, Outbound, OutboundSettings } from './types.js'
import type { Log } from '../runtime/log-events.js'
import { GuardedNet } from './net.js'
import { OperatorHttp } from './operator.js'
import { LimitByKey } from './throttle.js'
import { LocalProxy } from './proxy.js'
import { checkServer, NameServers, readServiceHost, SYSTEM_NAMES } from './name-servers.js'
import { Resolver } from './resolver.js'
import { Sockets } from './sockets.js'
import { GuardedWeb } from './web.js'

export type { Hooks, RequestFacts } from './types.js'

const PROXY_BYTES = 512 << 20
const SMTP_PORT = 25
const WHOIS_PORT = 43

/**
 * Builds all outbound connectivity of the process. Throws a RangeError that names a setting that cannot be read;
 * opens nothing before the first request.
 */
export function createOutbound(settings: OutboundSettings, clock: Clock, log: Log, hooks: Hooks = {}): Outbound {
  if (settings.dns !== null) checkServer(settings.dns)
  const { smtpPort = SMTP_PORT, whois = null } = settings
  const names = new NameServers(settings.dns, clock, SYSTEM_NAMES, log)
  const guard = new Guard(new AllowList(settings.allowPrivate), new Resolver(names, clock), undefined, smtpPort)
  const sockets = new Sockets()
  const dialer = new Connector(guard, sockets, settings.proxy === null ? null : new UpstreamProxy(settings.proxy, guard, sockets))
  const { userAgent } = settings
  const api = new VendorApi({ dialer, clock, userAgent, hooks })
  const web = new GuardedWeb({ guard, dialer, clock, perHost: new LimitByKey(clock, settings.perHost), userAgent, hooks })
  const operator = new OperatorHttp(dialer, clock)
  const firstWhois = whois === null ? null : readServiceHost(whois, 'net.whois', WHOIS_PORT)
  const net = new GuardedNet({ guard, dialer, names, sockets, clock, smtpPort, whois: firstWhois })
  const proxy = new LocalProxy({ guard, dialer, hooks, maxBytes: PROXY_BYTES })
  if (settings.allowPrivate.length > 0)
    log('private-addresses-allowed', 'outbound.allow_private lets calls reach addresses that are not public', {
      entries: settings.allowPrivate,
    })
  return {
    api,
    web,
    proxy,
    net,
    operator,
    sockets,
    close: async () => {
      await Promise.all([api.close(), web.close(), proxy.close(), operator.close(), net.close()])
    },
  }
}
