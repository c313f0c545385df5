/** Bytes as base64 (RFC 4648, 4), without a copy of the bytes. */
export function base64Of({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}
