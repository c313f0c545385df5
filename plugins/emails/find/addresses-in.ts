/** What stands in the place of an @ on pages: entities, escapes, and words against harvesters. */
const AT = /&#0{0,4}64;|&#x0{0,4}40;|&commat;|%40|\\u0040|[ \t]{0,3}[([{][ \t]{0,3}(?:at|ät|Ã¤t|@)[ \t]{0,3}[)\]}][ \t]{0,3}/gi
const BEFORE = /[a-z0-9._+'-]/
const LONGEST = 64
const MOST = 200

/** The addresses at exactly this domain that a text names, in small letters, each once. The text may be of any encoding that keeps ASCII. */
export function addressesIn(text: string, domain: string): string[] {
  const plain = text.replace(AT, '@').toLowerCase()
  const found = new Set<string>()
  const wanted = `@${domain}`
  for (let at = plain.indexOf(wanted); at !== -1 && found.size < MOST; at = plain.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    // Of a longer domain: example.com within example.com.br or example.company.
    if (/^(?:[a-z0-9-]|\.[a-z0-9])/.test(plain.slice(end, end + 2))) continue
    let start = at
    while (start > 0 && at - start <= LONGEST && BEFORE.test(plain.charAt(start - 1))) start--
    const local = plain
      .slice(start, at)
      .replace(/^u003[ce]/, '')
      .replace(/^[.'-]+|[.'-]+$/g, '')
    if (local !== '' && local.length <= LONGEST && !local.includes('..')) found.add(`${local}${wanted}`)
  }
  return [...found]
}
