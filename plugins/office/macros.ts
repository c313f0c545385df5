import { Fault } from '../../core/sdk/index.js'
import { pairOf, type Pair } from './formats/table.js'

type Container = Pair['reading']['container']

/** What is in a file that has macros: names of parts of an archive, a stream of a compound file, an element of a flat file. */
const MARKS: ReadonlyMap<Container, readonly Buffer[]> = new Map([
  ['zip', ['vbaProject.bin', 'Basic/', 'Scripts/'].map((text) => Buffer.from(text))],
  ['ole', [Buffer.from('_VBA_PROJECT', 'utf16le')]],
  [null, [Buffer.from(':source-code')]],
])

/** Results in which there is no place for them. */
const WITHOUT: readonly string[] = [
  ...['pdf', 'docx', 'dotx', 'xlsx', 'xltx', 'pptx', 'ppsx', 'potx', 'txt', 'html', 'xhtml', 'epub', 'rtf', 'docbook', 'wordml'],
  ...['csv', 'tsv', 'dif', 'slk', 'spreadsheetml', 'svg', 'emf', 'wmf', 'eps', 'png', 'jpeg', 'tiff', 'gif', 'bmp', 'webp'],
]
/** By what a kind of document goes to lose them. */
const MIDDLES = ['docx', 'xlsx', 'pptx'] as const

/** Whether a file may have macros. One that only has the words of such a file is taken for one. */
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

/** Whether LibreOffice would put the macros of a source into its result: it runs none, but keeps them. */
export function keepsMacros({ to }: Pair): boolean {
  return !WITHOUT.includes(to)
}

/** The two steps in which a document with macros loses them. Throws Fault `invalid` for a drawing, which has no such form. */
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
