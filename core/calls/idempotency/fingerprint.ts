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

/** Identifies equal requests: the SHA-256, in hex, of method, path and body with sorted keys. */
export function fingerprint(method: string, path: string, body: unknown): string {
  const text = new HashedText()
  text.add(`${method}\n${path}\n`)
  addCanonical(text, body)
  return text.digest()
}

/** The hash that is stored in place of a key. */
export function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Characters hashed at a time. */
const PIECE = 1 << 16

/** Hashes a text in pieces, because a whole large body would be copied twice. */
class HashedText {
  readonly #hash = createHash('sha256')
  #pending = ''

  add(text: string): void {
    this.#pending += text
    if (this.#pending.length >= PIECE) this.#flush()
  }

  /** Adds the string as JSON. */
  addString(text: string): void {
    if (text.length <= PIECE) return this.add(JSON.stringify(text))
    this.add('"')
    for (let from = 0; from < text.length;) {
      let to = Math.min(text.length, from + PIECE)
      // A split surrogate pair would be encoded as two escapes.
      if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to -= 1
      this.add(JSON.stringify(text.slice(from, to)).slice(1, -1))
      from = to
    }
    this.add('"')
  }

  digest(): string {
    this.#flush()
    return this.#hash.digest('hex')
  }

  #flush(): void {
    this.#hash.update(this.#pending)
    this.#pending = ''
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function addCanonical(text: HashedText, value: unknown): void {
  if (typeof value === 'string') text.addString(value)
  else if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    for (const [index, item] of items.entries()) {
      text.add(index === 0 ? '[' : ',')
      addCanonical(text, item)
    }
    text.add(items.length === 0 ? '[]' : ']')
  } else if (typeof value === 'object' && value !== null) {
    const names = Object.keys(value).sort()
    for (const [index, name] of names.entries()) {
      text.add(index === 0 ? '{' : ',')
      text.addString(name)
      text.add(':')
      addCanonical(text, Reflect.get(value, name))
    }
    text.add(names.length === 0 ? '{}' : '}')
  } else text.add(JSON.stringify(value) ?? 'null')
}
