/** Hosts that browsers contact on their own: updates, experiments, crash reports, safe-browsing lists. */
const DENIED = [
  'update.googleapis.com',
  'clients2.google.com',
  'clients2.googleusercontent.com',
  'clientservices.googleapis.com',
  'optimizationguide-pa.googleapis.com',
  'content-autofill.googleapis.com',
  'safebrowsing.googleapis.com',
  'safebrowsingohttpgateway.googleapis.com',
  'android.clients.google.com',
  'mtalk.google.com',
  'edgedl.me.gvt1.com',
  'redirector.gvt1.com',
  'gvt1.com',
  'gvt2.com',
]
/**
 * Hop-by-hop headers (RFC 9110 7.6.1), and those that only the forwarder may write: `host`, and `x-refused`, which reports that an
 * address was refused.
 */
const HOP = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'upgrade',
  'host',
  'x-refused',
])

/** True for a denied host or a name below one. */
export function deniedByProxy(host: string): boolean {
  return DENIED.some((name) => host === name || host.endsWith(`.${name}`))
}

/** Raw headers (name, value, name, value) without hop-by-hop headers, including those that `connection` names. */
export function forwardedHeaders(raw: readonly string[]): string[] {
  const dropped = new Set(HOP)
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]?.toLowerCase() === 'connection') for (const name of (raw[at + 1] ?? '').split(',')) dropped.add(name.trim().toLowerCase())
  }
  const kept: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2)
    if (!dropped.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}
