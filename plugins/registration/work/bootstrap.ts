import { listAt, textsIn } from '../../_shared/value-at.js'

/** More entries than any list of TLDs has. */
const MOST_LABELS = 20_000
const LABELS = /^(?:[a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63}$/

/**
 * Parses IANA's list of RDAP servers (RFC 9224 3): pairs of labels and the server's address, an https one if
 * available. Null for other content. Runs in a worker, since the bytes are untrusted.
 */
export default function read(bytes: Uint8Array): readonly (readonly [labels: string, base: string])[] | null {
  let list: unknown
  try {
    list = JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
  const pairs: [string, string][] = []
  for (const service of listAt(list, 'services')) {
    const [labels, urls] = Array.isArray(service) ? service.map(textsIn) : []
    const base = urls?.find((url) => /^https:/i.test(url)) ?? urls?.find((url) => /^http:/i.test(url))
    if (labels === undefined || base === undefined || base.length > 500) continue
    for (const label of labels) {
      const name = label.toLowerCase()
      if (LABELS.test(name)) pairs.push([name, base])
    }
    if (pairs.length > MOST_LABELS) return null
  }
  return pairs.length === 0 ? null : pairs
}
