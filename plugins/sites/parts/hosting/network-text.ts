/** The number in `AS64500`, or in `AS64500 Example Networks`; null without one. */
export function asnOf(text: string | null | undefined): number | null {
  const digits = /^AS(\d{1,10})(?: |$)/i.exec(text ?? '')?.[1]
  const asn = Number(digits)
  return digits === undefined || asn === 0 || asn > 0xffff_ffff ? null : asn
}

/** A name, or null for an empty one; at most 200 characters. */
export function named(text: string | null | undefined): string | null {
  const name = (text ?? '').trim().slice(0, 200)
  return name === '' ? null : name
}

/** A country as two letters, or null. */
export function countryCode(text: string | null | undefined): string | null {
  return /^[A-Za-z]{2}$/.test(text ?? '') ? (text ?? '').toUpperCase() : null
}
