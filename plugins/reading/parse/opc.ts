import { posix } from 'node:path'
import { field, isoDate, type Read } from './read.js'
import { elementsOf, textOf } from './xml.js'
import type { Unpacked } from './zip.js'

/** Properties of an Office Open XML package (ECMA-376, part 2, 11). */
export function packageProperties(files: Unpacked): Pick<Read, 'title' | 'language' | 'metadata' | 'pages'> {
  const core = elementsOf(files.get('docProps/core.xml'))
  const app = elementsOf(files.get('docProps/app.xml'))
  return {
    title: field(textOf(core, 'title')),
    language: field(textOf(core, 'language')),
    metadata: {
      author: field(textOf(core, 'creator')),
      subject: field(textOf(core, 'subject')),
      keywords: field(textOf(core, 'keywords')),
      description: field(textOf(core, 'description')),
      created: isoDate(textOf(core, 'created')),
      modified: isoDate(textOf(core, 'modified')),
      producer: field(textOf(app, 'Application')),
    },
    pages: pagesOf(textOf(app, 'Pages')),
  }
}

/** Parts referenced by a part, by relationship id; only those inside the package. */
export function relationsOf(files: Unpacked, part: string): ReadonlyMap<string, { readonly part: string; readonly type: string }> {
  const { dir, base } = posix.parse(part)
  const relations = elementsOf(files.get(`${dir}/_rels/${base}.rels`)).filter(
    ({ name, attributes }) => name === 'Relationship' && attributes['TargetMode'] !== 'External',
  )
  return new Map(
    relations.map(({ attributes: { Id = '', Target = '', Type = '' } }) => [
      Id,
      { part: Target.startsWith('/') ? Target.slice(1) : posix.join(dir, Target), type: Type.slice(Type.lastIndexOf('/') + 1) },
    ]),
  )
}

function pagesOf(text: string | null): number | null {
  const pages = Number(text)
  return Number.isSafeInteger(pages) && pages > 0 ? pages : null
}
