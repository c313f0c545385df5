import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders of the Debian package `poppler-data` and of poppler's own installation, each with one folder per character collection. */
const FOLDERS = ['/usr/share/poppler/cMap', '/usr/local/share/poppler/cMap']
/** Maps have names such as `UniJIS-UTF16-H` (ISO 32000-1, 9.7.5.2); no other file is opened. */
const NAME = /^[A-Za-z0-9-]{1,60}$/
/** Private, unassigned and control characters: the output of fonts without a mapping to letters. */
const UNMAPPED = /[\p{Co}\p{Cn}\ufffd]|(?![\t\n\f\r])\p{Cc}/gu

interface Wanted {
  readonly kind: string
  readonly filename: string
}

/** Provides pdf.js with the predefined character maps of fonts. */
export interface CharacterMaps {
  /** Names of required maps that are not installed. */
  readonly missing: ReadonlySet<string>
  /** For pdf.js's option `BinaryDataFactory`. */
  readonly Factory: new () => { readonly fetch: (wanted: Wanted) => Promise<Uint8Array> }
}

/** Predefined character maps as PostScript files (Adobe Technical Note 5014), each read on demand. */
export function characterMaps(folders: readonly string[] = FOLDERS): CharacterMaps {
  const missing = new Set<string>()
  return {
    missing,
    Factory: class {
      readonly fetch = async ({ kind, filename }: Wanted): Promise<Uint8Array> => {
        if (kind !== 'cMapUrl' || !NAME.test(filename)) throw new Error(`There is no ${kind} ${filename}.`)
        const map = await firstFile(filename, folders)
        if (map !== null) return map
        missing.add(filename)
        throw new Error(`The character map ${filename} is not installed.`)
      }
    },
  }
}

async function firstFile(name: string, folders: readonly string[]): Promise<Uint8Array | null> {
  for (const folder of folders) {
    const collections = (await orNull(readdir(folder))) ?? []
    for (const collection of collections) {
      const found = await orNull(readFile(join(folder, collection, name)))
      if (found !== null) return new Uint8Array(found)
    }
  }
  return null
}

/** Null when it does not exist. */
async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null
    throw error
  }
}

/** Number of characters of a text that are meaningless outside their font. */
export function unmappedIn(text: string): number {
  return text.match(UNMAPPED)?.length ?? 0
}

/** Notes on drawn text that is not in the answer: pages without a readable letter, characters, and missing maps. */
export function unreadNotes(
  { unread, unmapped }: { readonly unread: readonly number[]; readonly unmapped: number },
  missing: ReadonlySet<string>,
): string[] {
  const [first, ...more] = unread
  const pages = more.length === 0 ? `Page ${first} has` : `${unread.length} pages, the first of them page ${first}, have`
  return [
    ...(missing.size === 0
      ? []
      : [
          `Text that needs the character maps ${[...missing].join(', ')} was not read: install the Debian package poppler-data, which has them.`,
        ]),
    ...(first === undefined ? [] : [`${pages} text in letters that could not be read.`]),
    ...(unmapped === 0 ? [] : [`${unmapped} characters could not be read: their font does not say which letters they are.`]),
  ]
}
