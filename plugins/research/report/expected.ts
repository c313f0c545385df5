/** Whether a sentence, of a passage with these code texts, contains the expected kind of answer. */
export type Expected = (sentence: string, code: readonly string[]) => boolean

const AMOUNT =
  /\b(?:how (?:many|much|long|often|large|big|old|far|high|fast)|(?:what|which) (?:percentage|share|size|number|amount|port|range|ids?))\b/
const TIME = /^(?:since |until )?when\b|\b(?:what|which) (?:year|day|date|month)\b/
const PERSON = /^(?:by |to |from |with |for )?who(?:m|se)?\b/
/** Technical things that have a name. */
const THING =
  /\b(?:which|what) (?:[\p{L}-]+ ){0,3}(?:commands?|tools?|programs?|utility|packages?|files?|directory|folder|path|options?|fields?|variables?|functions?|modules?|library|settings?|parameters?|services?|daemon|address|protocol|format)\b/u

const FIGURE = /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand|none)\b/i
const YEAR = /\b(?:1[5-9]|20)\d\d\b/
const NAMES = /(?<=\S )\p{Lu}[\p{L}.'-]+ \p{Lu}[\p{L}'-]+|^\p{Lu}[\p{L}.'-]+ \p{Lu}[\p{L}'-]+/gu
/** Paths, names with a hyphen or digit, and quoted texts. */
const TECHNICAL = /(?<![\w.+-])[~/.]?[\w.+-]*\/[\w./+-]{2,}|\b[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+\b|["“][^"“”]{2,40}["”]/g

/**
 * The expected kind of answer: a figure, a year, a name, or something technical, which the question itself does not
 * contain. Other questions expect nothing in particular.
 */
export function expectedIn(question: string): Expected {
  const lower = question.trim().toLowerCase()
  const isNew = (found: string): boolean => !lower.includes(found.toLowerCase())
  if (AMOUNT.test(lower)) return (sentence) => FIGURE.test(sentence)
  if (TIME.test(lower)) return (sentence) => YEAR.test(sentence)
  if (PERSON.test(lower)) return (sentence) => (sentence.match(NAMES) ?? []).some((name) => name.split(' ').every(isNew))
  if (THING.test(lower))
    return (sentence, code) => code.some((text) => sentence.includes(text) && isNew(text)) || (sentence.match(TECHNICAL) ?? []).some(isNew)
  return () => true
}
