/** Characters with a meaning in the vendors' query languages: phrases, groups, fields, wildcards, negation, fuzziness, ranges. */
const SIGNS = /["'`(){}[\]:*?~^|!\\<>=+/&;,]/g
/** Question words without a topic. */
const COMMON = new Set(
  (
    'a an and are as at be been being but by can could did do does for from had has have how if in into is it its may might more most much many not of on or ' +
    'should so than that the their them then there these they this those to was we were what when where which who whom whose why will with would you your about'
  ).split(' '),
)
/** arXiv joins words by AND, so each further word reduces the results. */
const MOST_WORDS = 8

/** A query as plain words, without anything a vendor would read as an operator. */
export function plainQuery(query: string): string {
  return query
    .replace(SIGNS, ' ')
    .split(/\s+/)
    .map((word) => (/^(?:AND|OR|NOT|ANDNOT)$/.test(word) ? word.toLowerCase() : word.replace(/^-+/, '')))
    .filter((word) => word !== '')
    .join(' ')
}

/** The topic words of a query, in lower case, distinct and at most eight; all words when none is a topic word. */
export function queryWords(query: string): string[] {
  const words = [
    ...new Set(
      plainQuery(query)
        .toLowerCase()
        .replace(/\.(?= |$)/g, '')
        .split(' '),
    ),
  ].filter((word) => word !== '')
  const telling = words.filter((word) => !COMMON.has(word))
  return (telling.length === 0 ? words : telling).slice(0, MOST_WORDS)
}
