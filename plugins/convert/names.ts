import { percentDecoded } from '../_shared/address.js'
import type { Format } from './formats/format.js'

const LONGEST = 100

/** The name of a source without its extension: the last part of its path. */
export function baseName(path: string, from: Format): string {
  const last = percentDecoded(path.split('/').at(-1) ?? '')
  const endings = [from.extension ?? from.id, from.id, ...(from.aliases ?? [])].map((name) => `.${name}`)
  const ending = endings.find((each) => last.toLowerCase().endsWith(each)) ?? /\.[a-z0-9]{1,5}$/i.exec(last)?.[0] ?? ''
  // eslint-disable-next-line no-control-regex -- such a name would not be shown as it is
  const base = last.slice(0, last.length - ending.length).replace(/[\0-\x1f\x7f\\/:*?"<>|]/g, '_')
  return base.trim() === '' ? 'file' : [...base.trim()].slice(0, LONGEST).join('')
}

/** The file name of the result; one of several gets a number, all of them are an archive. */
export function resultName(base: string, { id, extension = id }: Format, part: number | 'zip' | null): string {
  if (part === 'zip') return `${base}-${extension}.zip`
  return part === null ? `${base}.${extension}` : `${base}-${String(part + 1)}.${extension}`
}
