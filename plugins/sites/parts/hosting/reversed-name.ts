/**
 * The reversed labels of an address in DNS notation: octets of an IPv4 address, the first 16 nibbles of an IPv6 one
 * (its network; longer names time out at some servers).
 */
export function reversedName(ip: string): { readonly v6: boolean; readonly name: string } {
  if (!ip.includes(':')) return { v6: false, name: ip.split('.').reverse().join('.') }
  return { v6: true, name: [...nibbles(ip).slice(0, 16)].reverse().join('.') }
}

/** The 32 hexadecimal digits of an IPv6 address. */
function nibbles(ip: string): string {
  const [head = '', tail] = ip.toLowerCase().split('::')
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':')).flatMap(groupOf)
  const [first, last] = [groups(head), groups(tail ?? '')]
  const gap = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  return [...first, ...Array.from({ length: gap }, () => '0000'), ...last].join('')
}

/** An IPv4 address at the end of an IPv6 one is two groups. */
function groupOf(group: string): string[] {
  if (!group.includes('.')) return [group.padStart(4, '0')]
  const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
  return [a * 256 + b, c * 256 + d].map((value) => value.toString(16).padStart(4, '0'))
}
