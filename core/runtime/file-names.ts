const LONGEST = 120
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}\\/:*?"<>|]/gu

/** A file name that is safe to show and save: no path, no control or direction characters, at most 120 characters. */
export function safeName(name: string): string {
  const base = name.replaceAll('\\', '/').split('/').at(-1) ?? ''
  const clean = base
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/^[.\s]+/, '')
    .trim()
  if (clean.length <= LONGEST) return clean === '' ? 'file' : clean
  const dot = clean.lastIndexOf('.')
  const extension = dot > 0 && clean.length - dot <= 12 ? clean.slice(dot) : ''
  // The cut may split a surrogate pair.
  return clean.slice(0, LONGEST - extension.length).replace(/\p{Cs}$/u, '') + extension
}

/** Content-Disposition of a download, with the name in both forms of RFC 6266. */
export function attachment(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** Bytes of a file from `from` up to and without `to`. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * The one range of a Range header (RFC 9110 14.2) within a file of `size` bytes. Null where there is none, and where
 * the header may be ignored: several ranges, other units, invalid and unsatisfiable ones.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  return from < to ? { from, to } : null
}
