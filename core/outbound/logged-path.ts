/** Segments by which an API says which version is meant. */
const VERSION = /^v?\d{1,2}(?:\.\d{1,2})?$/i
/** What an API calls a resource. */
const WORD = /^[a-z][a-z_]{0,39}$/i

/**
 * A path as logs may have it: versions, and the resource that it begins with. What follows is whatever the adapter asks for, such as the name of a
 * person, and is left out, as is a first segment that is no plain word, and the query.
 */
export function loggedPath(path: string): string {
  const [plain = ''] = path.split('?', 1)
  const segments = plain.replace(/^\//, '').split('/', 20)
  const first = segments.findIndex((segment) => !VERSION.test(segment))
  if (first < 0 || plain.length < 2) return plain
  const kept = segments.slice(0, WORD.test(segments[first] ?? '') ? first + 1 : first)
  return ['', ...kept, ...(kept.length < segments.length ? ['…'] : [])].join('/')
}
