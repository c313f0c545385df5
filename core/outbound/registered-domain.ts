/** Second-level labels of country codes below which domains are registered. */
const CATEGORIES = new Set(
  'ac ad asn co com conf ed edu firm gen go gob gouv gov govt id ind info lg ltd me mil ne net nhs nom or org plc police pro sch tm'.split(
    ' ',
  ),
)

/** The registered domain of a name, judged by its form: the last two labels, three below suffixes such as `co.uk`. */
export function registeredDomain(name: string): string {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.')
  const country = (labels.at(-1) ?? '').length === 2
  return labels.slice(country && CATEGORIES.has(labels.at(-2) ?? '') ? -3 : -2).join('.')
}
