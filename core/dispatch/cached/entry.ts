import { foreignJson, type TSchema, type Validator } from '../../sdk/index.js'

/** Most UTF-8 bytes of one cached value with its metadata. */
export const MOST_BYTES = 256 * 1024
const LONGEST_MESSAGE = 500
const MOST_VENDORS = 50

/** The outcome of a load. */
export type CachedEntry =
  | {
      readonly kind: 'value'
      readonly value: unknown
      /** Vendors whose data it contains, each followed by a space and the port where that is known. */
      readonly vendors: readonly string[]
    }
  | { readonly kind: 'missing'; readonly message: string }

/** The cached form of an entry: the letter of its kind, then JSON. */
export function textOf(entry: CachedEntry): string {
  return entry.kind === 'missing' ? `m${entry.message.slice(0, LONGEST_MESSAGE)}` : `v${JSON.stringify([entry.value, entry.vendors])}`
}

export function isMissing(text: string): boolean {
  return text.startsWith('m')
}

/** Whether an untrusted text is an entry of this shape; `missing`: whether `missing` entries are accepted. */
export function fits(text: string, shape: Validator<TSchema>, { missing }: { readonly missing: boolean }): boolean {
  if (text.length > MOST_BYTES || (isMissing(text) && !missing)) return false
  try {
    return entryOf(text, shape, foreignJson) !== null
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** Parses a cached text; null when it is of another shape. */
export function entryOf(text: string, shape: Validator<TSchema>, parse: (text: string) => unknown = JSON.parse): CachedEntry | null {
  if (isMissing(text)) return { kind: 'missing', message: text.slice(1, 1 + LONGEST_MESSAGE) }
  const parsed = text.startsWith('v') ? parse(text.slice(1)) : null
  if (!Array.isArray(parsed) || parsed.length !== 2) return null
  const parts: readonly unknown[] = parsed
  const [value, vendors] = parts
  return shape.check(value) && isVendors(vendors) ? { kind: 'value', value, vendors } : null
}

const VENDOR = /^[\w.-]{1,64}(?: [\w.-]{1,64})?$/

function isVendors(list: unknown): list is string[] {
  return Array.isArray(list) && list.length <= MOST_VENDORS && list.every((each) => typeof each === 'string' && VENDOR.test(each))
}
