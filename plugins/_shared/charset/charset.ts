import { decodeAs, guessCharset, isIso2022Jp } from './guess-charset.js'

const PRESCAN = 4096

/**
 * Decodes bytes to text. The encoding comes from the byte order mark, then the header, then a meta element or XML
 * declaration, then a check for valid UTF-8; otherwise it is guessed. Labels as in the WHATWG Encoding Standard.
 */
export function decode(bytes: Uint8Array, headerCharset: string): string {
  const label = byteOrderMark(bytes) ?? known(headerCharset) ?? declared(bytes)
  if (label !== undefined) return decodeAs(bytes, label)
  if (isIso2022Jp(bytes)) return decodeAs(bytes, 'iso-2022-jp')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return decodeAs(bytes, guessCharset(bytes))
    throw error
  }
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return undefined
}

/** The encoding declared in the first 4,096 bytes of the document. If they are readable as ASCII, a UTF-16 declaration is ignored. */
function declared(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, PRESCAN))
  const xml = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{1,40})["']/i.exec(start)?.[1]
  const meta = metaCharset(start)
  const label = known(xml ?? '') ?? known(meta ?? '')
  if (label === 'utf-16le' || label === 'utf-16be') return 'utf-8'
  if (label === undefined && bytes.length > 1 && bytes[1] === 0 && bytes[0] !== 0) return 'utf-16le'
  if (label === undefined && bytes.length > 1 && bytes[0] === 0 && bytes[1] !== 0) return 'utf-16be'
  return label === 'x-user-defined' ? 'windows-1252' : label
}

/** The first character set named by a `meta` element; up to 500 characters of each element are read. */
function metaCharset(start: string): string | undefined {
  for (const part of start.split(/<meta\s/i).slice(1)) {
    const label = /charset\s{0,20}=[\s"']{0,20}([\w:.-]{1,40})/i.exec((part.split('>', 1)[0] ?? '').slice(0, 500))?.[1]
    if (label !== undefined) return label
  }
  return undefined
}

function known(label: string): string | undefined {
  if (label.trim() === '') return undefined
  try {
    return new TextDecoder(label.trim()).encoding
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
