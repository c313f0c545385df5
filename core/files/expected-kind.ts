import { signedKind } from './work/signed-kind.js'

/** What may precede the root of a page: white space, a comment, an XML declaration. */
const BEFORE = [/^\s+/, /^<!--[^]*?-->/, /^<\?xml[^>]*>/]
const ROOT = /^<(?:!doctype\s+html|html|head|body)\b/i

/** True when the first bytes of a file begin an HTML page. */
export function isHtmlPage(start: Uint8Array): boolean {
  let text = new TextDecoder().decode(start)
  for (let length = -1; length !== text.length;) {
    length = text.length
    for (const each of BEFORE) text = text.replace(each, '')
  }
  return ROOT.test(text)
}

export interface KindQuestion {
  /** The first bytes of a file. */
  readonly start: Uint8Array
  /** Accepted media types; `image/*` matches all images. */
  readonly kinds: readonly string[]
  /** The media type that its sender named, or empty. */
  readonly named: string
}

export interface KindAnswer {
  readonly fits: boolean
  /** The media type detected from the bytes, or null. */
  readonly shown: string | null
}

/** Types based on a container format, which may be all that their first bytes reveal. */
const ZIP = /zip$|openxmlformats|opendocument|epub|java-archive|vnd\.android/
const COMPOUND = /msword|ms-excel|ms-powerpoint|x-cfb/
const XML = /xml$/
/** Synonyms of media types. */
const SAME: Readonly<Record<string, string>> = {
  wave: 'wav',
  m4a: 'mp4',
  quicktime: 'mp4',
  mp3: 'mpeg',
  opus: 'ogg',
  jpg: 'jpeg',
  pjpeg: 'jpeg',
}

/**
 * Whether a file is of one of the kinds, by its first bytes; where these have no signature, as with text, by the named type, if that is a
 * type without a signature. Runs in a worker: the bytes are untrusted.
 */
export async function kindOf({ start, kinds, named }: KindQuestion): Promise<KindAnswer> {
  const shown = (await signedKind(start))?.contentType ?? null
  if (shown !== null) return { shown, fits: kinds.some((kind) => isOf(shown, kind)) }
  if (isHtmlPage(start)) return { shown, fits: kinds.some((kind) => isOf('text/html', kind) || isOf('application/xhtml+xml', kind)) }
  const { supportedMimeTypes } = await import('file-type')
  const silent = kinds.filter((kind) => !showsItself(kind, supportedMimeTypes))
  const saysNothing = named === '' || named === 'application/octet-stream' || named === 'text/plain'
  return { shown, fits: silent.length > 0 && (saysNothing || silent.some((kind) => isOf(named, kind))) }
}

function isOf(shown: string, kind: string): boolean {
  if (kind.endsWith('/*')) return shown.startsWith(kind.slice(0, -1))
  if (shown === 'application/zip' && ZIP.test(kind)) return true
  if (shown === 'application/x-cfb' && COMPOUND.test(kind)) return true
  return (shown === 'application/xml' && XML.test(kind)) || subtype(shown) === subtype(kind)
}

/** Audio and video share container formats: the subtype identifies the container. */
function subtype(type: string): string {
  const name = type.slice(type.indexOf('/') + 1).replace(/^(?:x-|vnd\.)/, '')
  return SAME[name] ?? name
}

/** True for a kind whose files always begin with a signature. */
function showsItself(kind: string, signed: ReadonlySet<string>): boolean {
  if (/^(?:text|font)\//.test(kind) || XML.test(kind)) return false
  return kind.endsWith('/*') || [...signed].some((known) => isOf(known, kind))
}

// What a worker thread runs.
export { kindOf as default }
