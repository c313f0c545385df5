import { Fault } from '../../../../core/sdk/index.js'

/** One archive entry as described by mtree(5). */
interface Entry {
  readonly path: string
  readonly type: string
  readonly size: number
  readonly link: string | null
}

const MOST_ENTRIES = 10_000
const MIB = 1024 * 1024
const MOST_BYTES = 512 * MIB
/** Maximum compression ratio once the files exceed `FREE_BYTES` together. */
const MOST_RATIO = 100
const FREE_BYTES = 16 * MIB

const CONTROLS: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** Entries of an mtree list, whose names encode special characters as octal numbers. */
export function entriesOf(mtree: string): Entry[] {
  const lines = mtree.split('\n').filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('/set'))
  return lines.map((line) => {
    const [name = '', ...fields] = line.split(' ')
    const value = (key: string): string | null => fields.find((field) => field.startsWith(`${key}=`))?.slice(key.length + 1) ?? null
    const link = value('link')
    return {
      path: unescaped(name),
      type: value('type') ?? 'unknown',
      size: Number(value('size') ?? 0),
      link: link === null ? null : unescaped(link),
    }
  })
}

function unescaped(name: string): string {
  return bytesOf(name).toString('utf8')
}

/**
 * Decodes a name with `\\ooo` for a byte, and a backslash before a letter for a control character or before itself
 * (tar/util.c, libarchive/archive_write_set_format_mtree.c).
 */
function bytesOf(name: string): Buffer {
  const parts = name.split(/(\\[0-7]{3}|\\[abfnrtv\\])/)
  return Buffer.concat(parts.map((part, at) => (at % 2 === 0 ? Buffer.from(part) : escapedByte(part))))
}

function escapedByte(escape: string): Buffer {
  return escape.length === 4 ? Buffer.from([parseInt(escape.slice(1), 8) & 0xff]) : Buffer.from(CONTROLS[escape.slice(1)] ?? '\\')
}

/** Names of a list as bytes; bsdtar escapes non-printable characters with a backslash. Throws Fault `invalid` for too many. */
export function namesOf(list: string): Buffer[] {
  const names = list.split('\n').filter((name) => name !== '')
  if (names.length > MOST_ENTRIES) throw refused(`The archive holds more than ${MOST_ENTRIES} files.`)
  return names.map(bytesOf)
}

/** Rejects names that point outside the archive's folder, also with a backslash as separator. Throws Fault `invalid`. */
export function assertNames(names: readonly Buffer[]): void {
  const leadsOut = (name: string): boolean => !isInside(name) || !isInside(name.replaceAll('\\', '/'))
  if (names.some((name) => leadsOut(name.toString('utf8')))) throw refused('The archive holds a file whose name leads out of its folder.')
}

/** Rejects an archive with links out of its folder, devices, or an excessive compression ratio. Throws Fault `invalid`. */
export function assertHarmless(
  entries: readonly Entry[],
  { bytes: packed, flat }: { readonly bytes: number; readonly flat: boolean },
): void {
  if (entries.every(({ type }) => type === 'dir')) throw refused('The archive holds no files.')
  for (const { path, type, link } of entries) {
    if (!['file', 'dir', 'link'].includes(type)) throw refused('The archive holds something that is neither a file nor a folder.')
    if (link !== null && (link.includes('\\') || !isInside(`${folderOf(path)}/${link}`, link)))
      throw refused('The archive holds a link that leads out of its folder.')
    if (flat && (type !== 'file' || path.replace(/^\.\//, '').includes('/')))
      throw refused('The archive holds folders, which the target cannot hold.')
  }
  const bytes = entries.reduce((sum, { size }) => sum + size, 0)
  if (bytes > MOST_BYTES) throw refused(`The files of the archive are more than ${MOST_BYTES / MIB} MiB together.`)
  if (bytes > FREE_BYTES && bytes > packed * MOST_RATIO)
    throw refused(`The files of the archive are more than ${MOST_RATIO} times as large as the archive.`)
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.'
}

/** True when a path relative to the archive's folder never leaves it. `named` is the part from the archive. */
function isInside(path: string, named = path): boolean {
  if (named.startsWith('/') || /^[a-z]:/i.test(named) || named.includes('\0')) return false
  let depth = 0
  for (const part of path.split('/')) {
    if (part === '..') depth--
    else if (part !== '.' && part !== '') depth++
    if (depth < 0) return false
  }
  return true
}

function refused(why: string): Fault {
  return new Fault('invalid', why, { loc: ['file_url'] })
}
