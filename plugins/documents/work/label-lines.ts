const LINE = /^[-*+\s]{0,10}(?:\*\*|__)?(\p{L}[\p{L}\p{N} ./()-]{1,40}?)\s?(?:\*\*|__)?\s?:\s{0,5}(?:\*\*|__)?\s{0,5}(\S.{0,300})$/u
const MOST = 2_000
/** Most words of a label in a sentence. */
const MOST_WORDS = 5
/** A number, a code or a date at the end of a sentence. */
const VALUE = /^[\p{L}\p{N}#/.:_-]{1,60}$/u
const BEGINS = new Set('the a an your our my their his her its this'.split(' '))
const CONDITIONS = new Set('if when whether unless until once while'.split(' '))

/** Lines such as `Invoice number: R-17` as one record; the first of a name is used. */
export function labelLines(text: string): Record<string, unknown> {
  const found = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (found.size >= MOST) break
    if (line.length > 400 || !line.includes(':')) continue
    const [, name = '', value = ''] = LINE.exec(line.trim()) ?? []
    if (name !== '' && !found.has(name) && !value.startsWith('//')) found.set(name, value.replace(/\*\*|__|\\(?=\W)/g, '').trim())
  }
  return Object.fromEntries(found)
}

/**
 * Sentences such as `Your booking number is BK-4711.` as one record; the first of a name is used. The value is one
 * word with a digit at the end of the sentence. A label matches as a whole and without its first words as long as two
 * are left: `Inner booking number` is a booking number, a maximum total is not a total.
 */
export function labelSentences(text: string): Record<string, unknown> {
  const found = new Map<string, string>()
  for (const line of text.split('\n')) {
    const parts = line.split(' is ')
    for (const [at, part] of parts.slice(0, -1).entries()) {
      if (found.size >= MOST) return Object.fromEntries(found)
      const value = ((parts[at + 1] ?? '').slice(0, 100).split(/[.;!?)](?:\s|$)/)[0] ?? '').trim()
      if (!/\d/.test(value) || !VALUE.test(value)) continue
      const sentence =
        part
          .slice(-200)
          .replace(/[*_]/g, '')
          .split(/[.,;:!?()]/)
          .at(-1) ?? ''
      const words = sentence.split(/\s+/).filter((word) => /\p{L}/u.test(word))
      if (words.some((word) => CONDITIONS.has(word.toLowerCase()))) continue
      while (BEGINS.has(words[0]?.toLowerCase() ?? '')) words.shift()
      if (words.length === 0 || words.length > MOST_WORDS) continue
      for (let from = 0; from === 0 || words.length - from >= 2; from += 1) {
        const name = words.slice(from).join(' ')
        if (!found.has(name)) found.set(name, value)
      }
    }
  }
  return Object.fromEntries(found)
}
