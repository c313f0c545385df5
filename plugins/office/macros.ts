import { Fault } from '../../core/sdk/index.js'
import { pairOf, type Pair } from './formats/table.js'

type Container = Pair['reading']['container']

/** Content of files with macros: part names of an archive, a stream of a compound file, an element of a flat file. */
const MARKS: ReadonlyMap<Container, readonly Buffer[]> = new Map([
  ['zip', ['vbaProject.bin', 'Basic/', 'Scripts/'].map((text) => Buffer.from(text))],
  ['ole', [Buffer.from('_VBA_PROJECT', 'utf16le')]],
  [null, [Buffer.from(':source-code')]],
])

/** Targets that cannot contain them. */
const WITHOUT: readonly string[] = [
  ...['pdf', 'docx', 'dotx', 'xlsx', 'xltx', 'pptx', 'ppsx', 'potx', 'txt', 'html', 'xhtml', 'epub', 'rtf', 'docbook', 'wordml'],
  ...['csv', 'tsv', 'dif', 'slk', 'spreadsheetml', 'svg', 'emf', 'wmf', 'eps', 'png', 'jpeg', 'tiff', 'gif', 'bmp', 'webp'],
]
/** Intermediate formats that drop them, by kind of document. */
const MIDDLES = ['docx', 'xlsx', 'pptx'] as const

/** Whether a file may have macros. One that merely contains the same words counts too. */
export async function hasMacros({ reading: { container } }: Pick<Pair, 'reading'>, file: AsyncIterable<Uint8Array>): Promise<boolean> {
  const marks = MARKS.get(container)
  if (marks === undefined) return false
  const longest = Math.max(...marks.map(({ length }) => length))
  let last = Buffer.alloc(0)
  for await (const chunk of file) {
    const seen: Buffer = Buffer.concat([last, chunk])
    if (marks.some((mark) => seen.includes(mark))) return true
    last = Buffer.from(seen.subarray(-longest))
  }
  return false
}

/** Whether LibreOffice would keep a source's macros in its result: it runs none, but preserves them. */
export function keepsMacros({ to }: Pair): boolean {
  return !WITHOUT.includes(to)
}

/** The two steps that remove the macros of a document. Throws Fault `invalid` for a drawing, which has no such format. */
export function withoutMacros({ from, to }: Pair): readonly [Pair, Pair] {
  for (const middle of MIDDLES) {
    const [first, second] = [pairFor(from, middle), pairFor(middle, to)]
    if (first !== null && second !== null) return [first, second]
  }
  throw new Fault('invalid', `The file has macros, which a ${to} file would keep: convert it to pdf.`, { loc: ['to'] })
}

function pairFor(from: string, to: string): Pair | null {
  try {
    return pairOf(from, to)
  } catch (error) {
    if (Fault.is(error)) return null
    throw error
  }
}
