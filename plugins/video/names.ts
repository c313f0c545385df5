import type { Container } from './contract.js'

const LONGEST_TITLE = 500
/** With the extension it stays below the limits of the store and of file systems. */
const LONGEST_NAME = 100
/** Control characters, direction marks, surrogates and the like (Unicode general category C), and line separators. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]+/gu
const UNSAFE = /[\\/:*?"<>|%]+/g

/** An untrusted text on one line, without control characters and direction marks; null when empty or not a string. */
export function plainText(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const clean = value
    .slice(0, LONGEST_TITLE * 4)
    .replace(INVISIBLE, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
  return clean === '' ? null : [...clean].slice(0, LONGEST_TITLE).join('')
}

/** A file name from a title: no path, no reserved characters, not hidden. */
export function fileName(title: string | null, container: Container): string {
  const clean = (title ?? '')
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/^[.\s_]+/, '')
  const base = [...clean].slice(0, LONGEST_NAME).join('').trim()
  return `${base === '' ? 'video' : base}.${container}`
}
