import type { PdfObjects } from './pdf-objects.js'
import { textString } from './pdf-strings.js'
import { Dictionary, Name, Reference, Stream, type PdfValue } from './pdf-syntax.js'

/** A file in a PDF; its bytes are null where they cannot be unpacked. */
export interface EmbeddedFile {
  readonly name: string
  readonly contentType: string | null
  readonly bytes: Uint8Array | null
}

const MAX_FILES = 200
/** Objects that are visited, and values in them. */
const MAX_VISITED = 2_000_000

/**
 * The files of a PDF, wherever one is referred to (ISO 32000-2, 7.11.4 and 14.13): by the list of names, as associated file of the catalogue, a page, an
 * annotation, a structure element or anything else, or by an annotation. Found by following all references from the catalogue; `complete` is false when
 * there are too many.
 */
export function embeddedFiles(objects: PdfObjects, until: number): { readonly files: readonly EmbeddedFile[]; readonly complete: boolean } {
  const files: EmbeddedFile[] = []
  const seen = new Set<number>()
  const left: PdfValue[] = [objects.catalogue]
  for (let visited = 0; left.length > 0; visited += 1) {
    if (visited > MAX_VISITED || files.length >= MAX_FILES || (visited % 256 === 0 && performance.now() > until))
      return { files, complete: false }
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
      left.push(...[...dictionary.values()].filter(isInner).reverse())
    } else if (Array.isArray(value)) for (const each of value.toReversed()) if (isInner(each)) left.push(each)
  }
  return { files, complete: true }
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
