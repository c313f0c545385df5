import { posix } from 'node:path'
import { Fault } from '../../../core/sdk/fault.js'
import { percentDecoded } from '../../_shared/address.js'
import { decoded } from './charset.js'
import { leftOutNote } from './figures.js'
import { bodyOf } from './markup.js'
import { toMarkdown } from './markdown.js'
import { answer, field, isoDate, MAX_TEXT, type Read, type ReadArgs } from './read.js'
import { elementsOf, textOf, type Element } from './xml.js'
import type { Unpacked } from './zip.js'

/** Reads a book (EPUB 3.3) in the order of its spine. Names resolve only within the archive. */
export function readEpub(files: Unpacked, args: ReadArgs): Read {
  const root = elementsOf(files.get('META-INF/container.xml')).find(({ name }) => name === 'rootfile')?.attributes['full-path']
  const list = root === undefined ? undefined : files.get(root)
  if (root === undefined || list === undefined) throw new Fault('invalid', 'The file is broken: the book names no list of its parts.')
  const elements = elementsOf(list)
  const chapters = spineOf(elements).flatMap((path) => files.get(posix.join(posix.dirname(root), path)) ?? [])
  const texts: string[] = []
  const bodies: string[] = []
  const links: string[] = []
  let [size, pictures] = [0, 0]
  for (const chapter of chapters) {
    if (size > MAX_TEXT) break
    const body = bodyOf(decoded(chapter, ''))
    const text = toMarkdown(body.html)
    size += body.html.length
    texts.push(text)
    bodies.push(body.html)
    links.push(...body.links)
    pictures += body.pictures
  }
  const cut = texts.length < chapters.length
  return answer('epub', {
    title: field(textOf(elements, 'title')),
    language: field(textOf(elements, 'language')),
    metadata: {
      author: field(
        elements
          .filter(({ name }) => name === 'creator')
          .map(({ text }) => text.trim())
          .join(', '),
      ),
      subject: field(textOf(elements, 'subject')),
      keywords: null,
      description: field(textOf(elements, 'description')),
      created: isoDate(textOf(elements, 'date')),
      modified: isoDate(elements.find(({ attributes }) => attributes['property'] === 'dcterms:modified')?.text),
      producer: field(textOf(elements, 'publisher')),
    },
    pages: chapters.length,
    text: texts.filter((text) => text !== '').join('\n\n'),
    html: args.html ? bodies.join('\n') : null,
    links,
    truncated: cut,
    notes: [...(cut ? [`Of ${chapters.length} chapters ${texts.length} were read.`] : []), ...leftOutNote(pictures, 'picture', 'pictures')],
  })
}

/** Paths of the chapters, as in the manifest. */
function spineOf(elements: readonly Element[]): string[] {
  const parts = new Map(elements.filter(({ name }) => name === 'item').map(({ attributes: { id = '', href = '' } }) => [id, href]))
  return elements
    .filter(({ name }) => name === 'itemref')
    .flatMap(({ attributes }) => parts.get(attributes['idref'] ?? '') ?? [])
    .map(percentDecoded)
}
