const LONGEST = 45

/** Four numbers from 0 to 255 without leading zeros. */
export function isIpv4(text: string): boolean {
  const parts = text.split('.', 5)
  return text.length <= LONGEST && parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}

/** An IPv6 address (RFC 4291 2.2), without a zone. */
export function isIpv6(text: string): boolean {
  if (text.length > LONGEST) return false
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')))
  const all = groups.flat()
  const last = all.at(-1) ?? ''
  const four = last.includes('.') && text.endsWith(last)
  if (four && !isIpv4(last)) return false
  const count = all.length + (four ? 1 : 0)
  const fits = (four ? all.slice(0, -1) : all).every((group) => /^[0-9a-f]{1,4}$/i.test(group))
  return fits && (halves.length === 2 ? count < 8 : count === 8)
}
