/** Labels below country codes that hold no domain themselves: the registered name is the one before. */
const CATEGORIES = new Set(
  'ac ad asn co com conf ed edu firm gen go gob gouv gov govt id ind info lg ltd me mil ne net nhs nom or org plc police pro sch tm'.split(
    ' ',
  ),
)

/** The domain that somebody registered, with its name servers, as its form tells: the last two labels, three below such as `co.uk`. */
export function registeredDomain(name: string): string {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.')
  const country = (labels.at(-1) ?? '').length === 2
  return labels.slice(country && CATEGORIES.has(labels.at(-2) ?? '') ? -3 : -2).join('.')
}
