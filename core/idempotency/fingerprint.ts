import { createHash } from 'node:crypto'

const LONGEST = 255

/** Why an Idempotency-Key cannot be used, or null when it can (draft-ietf-httpapi-idempotency-key-header). */
export function badKey(key: string): string | null {
  if (key.length === 0) return 'The Idempotency-Key is empty.'
  if (key.length > LONGEST) return `The Idempotency-Key has ${key.length} characters and may have ${LONGEST}.`
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i)
    if (code < 0x20 || code > 0x7e) return 'The Idempotency-Key has characters other than printable ASCII.'
  }
  return null
}

/** What makes two requests the same: method, path and body with its keys in order. Hex of SHA-256. */
export function fingerprint(method: string, path: string, body: unknown): string {
  return createHash('sha256')
    .update(`${method}\n${path}\n${canonical(body)}`)
    .digest('hex')
}

/** Hash under which a key is kept; the key itself is not. */
export function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
