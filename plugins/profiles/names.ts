/** Legal forms at the end of a company's name, folded. */
const FORMS = new Set(
  (
    'inc incorporated llc llp lp ltd limited plc corp corporation co company gmbh ag kg kgaa ug se sa sas sasu sarl eurl spa srl bv nv ab asa as aps oy ' +
    'oyj sl slu pty pvt private kk doo ou sp zoo'
  ).split(' '),
)
const DOMAIN = /^(?:https?:\/\/)?(?:www\.)?(?<name>[\p{L}\p{N}-]{2,63})(?:\.[\p{L}\p{N}-]{2,63}){1,3}\/?$/iu
const MOST = 300

/** Normalised words of a text: without accents, case and punctuation. */
function words(text: string): string[] {
  const plain = text
    .slice(0, MOST)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/ø/g, 'o')
    .replace(/æ/g, 'ae')
    .replace(/œ/g, 'oe')
    .replace(/ł/g, 'l')
    .replace(/[’'`´.]/g, '')
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** A normalised text for comparison. */
export const folded = (text: string): string => words(text).join(' ')

/** A company's name for comparison, without its legal form; for a domain its name. Empty for none. */
export function companyKey(company: string): string {
  const all = words(DOMAIN.exec(company.trim())?.groups?.['name'] ?? company.replace(/&/g, ' and '))
  const kept = [...all]
  while (kept.length > 1 && FORMS.has(kept.at(-1) ?? '')) kept.pop()
  // Domains have no spaces, and names are spelled with and without.
  return kept.join('')
}

/** True for a domain in place of a company's name. */
export function domainOf(company: string): string | null {
  const text = company.trim().toLowerCase()
  const known = DOMAIN.test(text) && /\.\p{L}{2,}\/?$/u.test(text)
  return known
    ? text
        .replace(/^https?:\/\//, '')
        .replace(/^www\./, '')
        .replace(/\/$/, '')
    : null
}

/**
 * Whether two names may be the same person's: the last words are equal, the first ones equal or one an initial of the
 * other.
 */
export function sameName(one: string, other: string): boolean {
  const [a, b] = [words(one), words(other)]
  const [first = '', last = ''] = [a[0], a.at(-1)]
  const [otherFirst = '', otherLast = ''] = [b[0], b.at(-1)]
  if (a.length === 0 || b.length === 0 || last !== otherLast) return false
  if (a.length === 1 || b.length === 1) return a.length === b.length
  const initial = first.length === 1 || otherFirst.length === 1
  return initial ? first[0] === otherFirst[0] : first === otherFirst
}
