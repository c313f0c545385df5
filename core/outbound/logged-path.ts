/** Segments that name the version of an API. */
const VERSION = /^v?\d{1,2}(?:\.\d{1,2})?$/i
/** The name of a resource. */
const WORD = /^[a-z][a-z_]{0,39}$/i

/**
 * A path as it may be logged: versions and the first resource. What follows may be personal data, such as a name, and is omitted, as are
 * a first segment that is not a plain word, and the query.
 */
export function loggedPath(path: string): string {
  const [plain = ''] = path.split('?', 1)
  const segments = plain.replace(/^\//, '').split('/', 20)
  const first = segments.findIndex((segment) => !VERSION.test(segment))
  if (first < 0 || plain.length < 2) return plain
  const kept = segments.slice(0, WORD.test(segments[first] ?? '') ? first + 1 : first)
  return ['', ...kept, ...(kept.length < segments.length ? ['…'] : [])].join('/')
}
