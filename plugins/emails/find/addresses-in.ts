/** Substitutes for an @ on pages, at the end of a text: entities, escapes, and obfuscated forms. */
const AT_END = /(?:@|&#0{0,4}64;|&#x0{0,4}40;|&commat;|%40|\\u0040|[ \t]{0,3}[([{][ \t]{0,3}(?:at|ät|ã¤t|@)[ \t]{0,3}[)\]}][ \t]{0,3})$/
/** Its longest form, and its possible last characters. */
const LONGEST_AT = 20
const ENDS_OF_AT = new Set('@;0)]} \t')
const IN_NAME = new Set('abcdefghijklmnopqrstuvwxyz0123456789.-')
const IN_LOCAL = new Set([...IN_NAME, ..."_+'"])
const LONGEST_LOCAL = 64
const LONGEST_NAME = 253
/** Most addresses returned, and most possible domains after something like an @ that are checked. */
const MOST = 200
const MOST_LOOKS = 5_000

/**
 * The addresses in a text at this domain and at names below it, in lower case, each once. The text may be in any
 * encoding compatible with ASCII. Linear in the length of the text.
 */
export function addressesIn(text: string, domain: string): string[] {
  const plain = text.toLowerCase()
  const found = new Set<string>()
  let checks = 0
  for (let place = plain.indexOf(domain); place !== -1 && found.size < MOST && checks < MOST_LOOKS;) {
    const end = place + domain.length
    const start = endsAt(plain, end) ? startOfName(plain, place) : 0
    if (ENDS_OF_AT.has(plain.charAt(start - 1))) {
      checks++
      const local = localBefore(plain, start)
      if (local !== null) found.add(`${local}@${plain.slice(start, end)}`)
    }
    place = plain.indexOf(domain, end)
  }
  return [...found]
}

/** False for a part of a longer domain: example.com within example.com.br or example.company. */
function endsAt(text: string, end: number): boolean {
  const next = text.charAt(end)
  return next === '.' ? !isWord(text.charAt(end + 1)) : next !== '-' && !isWord(next)
}

function isWord(letter: string): boolean {
  return letter !== '.' && letter !== '-' && IN_NAME.has(letter)
}

/** Start of the name that ends with the domain: a host below it, or the domain itself. */
function startOfName(text: string, place: number): number {
  if (text.charAt(place - 1) !== '.') return place
  let start = place
  while (start > 0 && place - start < LONGEST_NAME && IN_NAME.has(text.charAt(start - 1))) start--
  return start
}

/** The local part of the address whose domain starts here; null when there is none. */
function localBefore(text: string, start: number): string | null {
  const at = AT_END.exec(text.slice(Math.max(0, start - LONGEST_AT), start))?.[0].length ?? 0
  if (at === 0) return null
  const end = start - at
  let from = end
  while (from > 0 && end - from <= LONGEST_LOCAL && IN_LOCAL.has(text.charAt(from - 1))) from--
  const local = text
    .slice(from, end)
    .replace(/^u003[ce]/, '')
    .replace(/^[.'-]+|[.'-]+$/g, '')
  return local === '' || local.length > LONGEST_LOCAL || local.includes('..') ? null : local
}
