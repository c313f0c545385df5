import type { Look } from '../contract.js'

const TYPES: Readonly<Record<Look['format'], string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  tiff: 'image/tiff',
  svg: 'image/svg+xml',
}

export function contentTypeOf(format: Look['format']): string {
  return TYPES[format]
}
