/** Vendors' terms for the same kinds, in capitals and with underscores. */
const KINDS: Readonly<Record<string, string>> = {
  EDUCATIONAL_INSTITUTION: 'EDUCATIONAL',
  GOVERNMENT: 'GOVERNMENT_AGENCY',
  NONPROFIT: 'NON_PROFIT',
  NONPROFIT_ORGANIZATION: 'NON_PROFIT',
  PRIVATE: 'PRIVATELY_HELD',
  PRIVATELY_HELD_COMPANY: 'PRIVATELY_HELD',
  PRIVATE_COMPANY: 'PRIVATELY_HELD',
  PUBLIC: 'PUBLIC_COMPANY',
  PUBLIC_LIMITED_COMPANY: 'PUBLIC_COMPANY',
  SOLE_PROPRIETORSHIP: 'SELF_OWNED',
}

/** The kind of a company, normalised across vendors: `privately-held`, `private` and `PRIVATELY_HELD` are `PRIVATELY_HELD`. */
export function kindOf(word: string | null): string | null {
  const form = (word ?? '')
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, '_')
  return form === '' ? null : (KINDS[form] ?? form)
}
