import type { Cancel } from '../runtime/cancel.js'
import type { Net } from '../outbound/types.js'
import type { NetServices } from '../sdk/index.js'

const HTTPS_PORT = 443

/** The network beyond HTTP for the length of one call. */
export function netOf(net: Net, cancel: Cancel): NetServices {
  return {
    dns: (name, type) => net.dns(name, type, cancel),
    query: (name, type, options = {}) => net.query(name, type, cancel, options),
    tls: (host, port = HTTPS_PORT) => net.tls(host, port, cancel),
    inspectTls: (host, port = HTTPS_PORT) => net.inspectTls(host, port, cancel),
    connect: (host, port, options = {}) => net.connect(host, port, options, cancel),
  }
}
