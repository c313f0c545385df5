/** Bands of employees by their lower end. */
const BANDS: readonly (readonly [number, string])[] = [
  [10_001, '10001+'],
  [5_001, '5001-10000'],
  [1_001, '1001-5000'],
  [501, '501-1000'],
  [201, '201-500'],
  [51, '51-200'],
  [11, '11-50'],
  [1, '1-10'],
]

/** The band of a number of employees; null for none. */
export function sizeOf(employees: number | null): string | null {
  return BANDS.find(([least]) => (employees ?? 0) >= least)?.[1] ?? null
}

/** The band that matches a vendor's band in any notation: `50-200`, `5k-10k`, `over-10k`, `10001+`; null for anything else. */
export function sizeOfBand(band: string | null): string | null {
  const [, word, from, thousand, open] = /^(over-|>)?(\d+)(k)?(\+)?/i.exec((band ?? '').replace(/[,\s]/g, '')) ?? []
  if (from === undefined) return null
  const least = Number(from) * (thousand === undefined ? 1 : 1_000)
  // Vendors' bands share their limits (10-50, 50-200): a multiple of ten at the start is the end of the band below.
  const shared = (word !== undefined || open === undefined) && least > 1 && least % 10 === 0
  return sizeOf(shared ? least + 1 : least)
}
