import { parseUrl } from '../../../core/sdk/index.js'
import type { Fields } from './record.js'

interface Files {
  /** The given parameters. */
  readonly given: Fields
  /** Names of uploaded files, and media types of their bytes, by parameter. */
  readonly names: Readonly<Record<string, string>>
  readonly types: Readonly<Record<string, string>>
}

/** Omitted formats, guessed from the ending of the file's name or address, else from the type of its bytes, where possible. */
export function guessedFormats(formatOf: Fields, { given, names, types }: Files): Record<string, string> {
  const formats: Record<string, string> = {}
  for (const [parameter, source] of Object.entries(formatOf)) {
    if (typeof source !== 'string' || given[parameter] !== undefined) continue
    const address = given[source]
    const name = names[source] ?? (typeof address === 'string' ? (parseUrl(address)?.pathname ?? '') : '')
    const format = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1] ?? /\/(?:x-)?([a-z0-9]{1,10})$/i.exec(types[source] ?? '')?.[1]
    if (format !== undefined) formats[parameter] = format.toLowerCase()
  }
  return formats
}
