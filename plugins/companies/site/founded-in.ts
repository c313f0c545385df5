/** Phrases for the year of foundation, in the most common languages of company pages. A copyright notice does not count. */
const WAYS: readonly RegExp[] = [
  /\b(?:founded|established|incorporated|started) (?:in |back in )(?:\p{L}{3,9} )?(\d{4})\b/iu,
  /\best(?:ablished|d)?\.? (\d{4})\b/i,
  /\b(?:family[- ]owned|in business|serving \p{L}+|trusted|made with care|brewing|baking) since (\d{4})\b/iu,
  /^since (\d{4})\b/im,
  /\b(?:gegründet|gründung)(?: im jahre?)?(?: in)?:? (\d{4})\b/i,
  /^seit (\d{4})\b/im,
  /\b(?:fondée?|créée?) en (\d{4})\b/i,
  /\b(?:fundad[ao]|fondat[ao]|fundada) (?:en|nel|em) (\d{4})\b/i,
  /\bopgericht in (\d{4})\b/i,
]

/** The stated year of a company's foundation; null when absent or in the future. */
export function foundedIn(text: string, thisYear = new Date().getUTCFullYear()): number | null {
  for (const way of WAYS) {
    const year = Number(way.exec(text)?.[1] ?? NaN)
    if (year >= 1_000 && year <= thisYear) return year
  }
  return null
}
