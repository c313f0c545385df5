import { Fault, type Call } from '../sdk/index.js'

const SAFE = /^\/(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*$/i
const CLIMBS = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?:$|[/\\]|%2f|%5c)/i

/**
 * The target of a call below a prefix: encoded segments are kept, everything unsafe is percent-encoded. A path with `..`, without a
 * leading slash, with a fragment, or an absolute URL is a `broken` Fault.
 */
export function requestPath(prefix: string, call: Call): string {
  const { path, query } = call
  const [plain = ''] = path.split('?', 1)
  if (!path.startsWith('/') || path.includes('#') || path.includes('\\') || CLIMBS.test(plain)) {
    throw new Fault('broken', 'the adapter built an invalid request', {
      internal: 'Call.path must begin with "/" and hold no "..", "\\" or "#"',
    })
  }
  const target = prefix + (SAFE.test(path) ? path : encode(path))
  const fields = query === undefined ? '' : queryString(query)
  return withQuery(target, fields)
}

/** A query in form encoding with `%20` for spaces; undefined fields are omitted, lists are repeated. */
export function queryString(query: NonNullable<Call['query']>): string {
  let text = ''
  for (const name in query) {
    const value = query[name]
    if (value === undefined) continue
    for (const one of typeof value === 'object' ? value : [value]) {
      text += `${text === '' ? '' : '&'}${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(String(one)))}`
    }
  }
  return text
}

/** Appends query fields to a target that may already have some. */
export function withQuery(target: string, fields: string): string {
  if (fields === '') return target
  return `${target}${target.includes('?') ? '&' : '?'}${fields}`
}

function encode(path: string): string {
  return wellFormed(path)
    .replace(/%(?![0-9a-f]{2})/gi, '%25')
    .replace(/[^\w.~!$&'()*+,;=:@/?%-]/gu, encodeURIComponent)
}

/** Lone surrogates cannot be encoded. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}
