import type { PdfObjects } from './pdf-objects.js'
import { textString } from './pdf-strings.js'
import { Dictionary, Name, PdfLimit, reasonOf, Reference, Stream, type PdfValue } from './pdf-syntax.js'

/** A file in a PDF; its bytes are null when they cannot be unpacked. */
interface EmbeddedFile {
  readonly name: string
  readonly contentType: string | null
  readonly bytes: Uint8Array | null
}

const MAX_FILES = 200
/** Bytes of all files together. */
const MAX_BYTES = 64 * 1024 * 1024
/** Objects visited, and values in them. */
const MAX_VISITED = 2_000_000

/**
 * All files of a PDF (ISO 32000-2, 7.11.4 and 14.13): in the name tree, as associated file of the catalogue, a page,
 * an annotation, a structure element or anything else, or in an annotation. Found by following all references from
 * the catalogue, for at most so many milliseconds. `skipped` is why the search ended early, as the end of a sentence;
 * null when it did not.
 */
export function embeddedFiles(
  objects: PdfObjects,
  ms: number,
): { readonly files: readonly EmbeddedFile[]; readonly skipped: string | null } {
  const files: EmbeddedFile[] = []
  try {
    objects.limit(ms)
    search(objects, files)
    return { files, skipped: null }
  } catch (error) {
    return { files, skipped: reasonOf(error) }
  }
}

function search(objects: PdfObjects, files: EmbeddedFile[]): void {
  const seen = new Set<number>()
  const left: PdfValue[] = [objects.catalogue]
  let room = MAX_BYTES
  for (let visited = 0; left.length > 0; visited += 1) {
    if (visited > MAX_VISITED) throw new PdfLimit('it has too many objects')
    if (files.length >= MAX_FILES || room < 0) throw new PdfLimit('there are too many, or they are too large')
    if (visited % 256 === 0) objects.check()
    const value = left.pop()
    if (value instanceof Reference) {
      if (seen.has(value.number)) continue
      seen.add(value.number)
      left.push(objects.get(value))
      continue
    }
    const dictionary = value instanceof Stream ? value.dictionary : value
    if (dictionary instanceof Dictionary) {
      const file = fileOf(dictionary, objects)
      if (file !== null) files.push(file)
      room -= file?.bytes?.length ?? 0
    }
    const inner = dictionary instanceof Dictionary ? [...dictionary.values()] : Array.isArray(value) ? value : []
    for (const each of inner.toReversed()) if (isInner(each)) left.push(each)
  }
}

function isInner(value: PdfValue): boolean {
  return value instanceof Reference || value instanceof Dictionary || Array.isArray(value)
}

/** The file of a file specification (ISO 32000-1, 7.11.3); null for any other dictionary. */
function fileOf(specification: Dictionary, objects: PdfObjects): EmbeddedFile | null {
  const embedded = objects.dictionary(specification.get('EF'))
  const stream = ['UF', 'F', 'Unix', 'Mac', 'DOS'].map((name) => objects.get(embedded.get(name))).find((each) => each instanceof Stream)
  if (stream === undefined) return null
  const path = ['UF', 'F', 'Unix', 'Mac', 'DOS']
    .map((name) => objects.get(specification.get(name)))
    .find((each) => each instanceof Buffer && each.length > 0)
  const type = objects.get(stream.dictionary.get('Subtype'))
  return {
    name: path instanceof Buffer ? (textString(path).split(/[/\\]/).at(-1) ?? '') : '',
    contentType: type instanceof Name && /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(type.text) ? type.text.toLowerCase() : null,
    bytes: objects.unpacked(stream),
  }
}
