import { supportedMimeTypes } from 'file-type'
import { isHtmlPage } from './html-page.js'
import { signedKind } from './work/signed-kind.js'

export interface KindQuestion {
  /** The first bytes of a file. */
  readonly start: Uint8Array
  /** Media types of which it must be one; `image/*` stands for all images. */
  readonly kinds: readonly string[]
  /** What its sender calls it; empty when nothing. */
  readonly named: string
}

export interface KindAnswer {
  readonly fits: boolean
  /** Media type that the bytes show, or null. */
  readonly shown: string | null
}

/** Types that are made of another one, which is all that their first bytes may show. */
const ZIP = /zip$|openxmlformats|opendocument|epub|java-archive|vnd\.android/
const COMPOUND = /msword|ms-excel|ms-powerpoint|x-cfb/
const XML = /xml$/
/** Names of one thing. */
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
 * Whether a file is of one of the kinds, by its first bytes; where these show nothing, as those of text, by the name it was given, if it could be
 * one whose bytes show nothing. Runs in a worker: the bytes are foreign.
 */
export async function kindOf({ start, kinds, named }: KindQuestion): Promise<KindAnswer> {
  const shown = (await signedKind(start))?.contentType ?? null
  if (shown !== null) return { shown, fits: kinds.some((kind) => isOf(shown, kind)) }
  if (isHtmlPage(start)) return { shown, fits: kinds.some((kind) => isOf('text/html', kind) || isOf('application/xhtml+xml', kind)) }
  const silent = kinds.filter((kind) => !showsItself(kind))
  const saysNothing = named === '' || named === 'application/octet-stream' || named === 'text/plain'
  return { shown, fits: silent.length > 0 && (saysNothing || silent.some((kind) => isOf(named, kind))) }
}

function isOf(shown: string, kind: string): boolean {
  if (kind.endsWith('/*')) return shown.startsWith(kind.slice(0, -1))
  if (shown === 'application/zip' && ZIP.test(kind)) return true
  if (shown === 'application/x-cfb' && COMPOUND.test(kind)) return true
  return (shown === 'application/xml' && XML.test(kind)) || subtype(shown) === subtype(kind)
}

/** Containers of sound and of film have one form: the first part of a type says what is in it. */
function subtype(type: string): string {
  const name = type.slice(type.indexOf('/') + 1).replace(/^(?:x-|vnd\.)/, '')
  return SAME[name] ?? name
}

/** True for a kind that the first bytes of every such file show. */
function showsItself(kind: string): boolean {
  if (/^(?:text|font)\//.test(kind) || XML.test(kind)) return false
  return kind.endsWith('/*') || [...supportedMimeTypes].some((known) => isOf(known, kind))
}

// What a worker thread runs.
export { kindOf as default }
