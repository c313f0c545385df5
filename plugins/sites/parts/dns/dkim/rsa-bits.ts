const SEQUENCE = 0x30
const INTEGER = 0x02
const BIT_STRING = 0x03

/** Size of the modulus of an RSA key in bits, of a SubjectPublicKeyInfo or a bare RSAPublicKey in DER; null for other bytes. */
export function rsaBits(der: Uint8Array): number | null {
  const outer = element(der, SEQUENCE)
  if (outer === null) return null
  const modulus = element(outer.value, INTEGER)
  if (modulus !== null) return bitsOf(modulus.value)
  const algorithm = element(outer.value, SEQUENCE)
  const bits = algorithm === null ? null : element(algorithm.rest, BIT_STRING)
  const inner = bits?.value[0] === 0 ? element(bits.value.subarray(1), SEQUENCE) : null
  const number = inner === null ? null : element(inner.value, INTEGER)
  return number === null ? null : bitsOf(number.value)
}

interface Element {
  readonly value: Uint8Array
  readonly rest: Uint8Array
}

function element(bytes: Uint8Array, tag: number): Element | null {
  const [first, length = 0] = bytes
  if (first !== tag) return null
  const sizeBytes = length < 0x80 ? 0 : length & 0x7f
  if (sizeBytes > 3 || bytes.length < 2 + sizeBytes) return null
  const size = sizeBytes === 0 ? length : bytes.subarray(2, 2 + sizeBytes).reduce((sum, each) => sum * 256 + each, 0)
  const start = 2 + sizeBytes
  return start + size > bytes.length ? null : { value: bytes.subarray(start, start + size), rest: bytes.subarray(start + size) }
}

function bitsOf(number: Uint8Array): number | null {
  const first = number.findIndex((byte) => byte !== 0)
  return first === -1 ? null : (number.length - first) * 8 - (Math.clz32(number[first] ?? 0) - 24)
}
