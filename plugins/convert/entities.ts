import { Fault } from '../../core/sdk/index.js'
import type { Peek } from './formats/shape.js'

const DECLARED = '<!ENTITY'
/** A declaration in each XML encoding; the whole file is searched for these. */
export const ENTITY_MARKS = [DECLARED, [...DECLARED].join('\0')]
const XML = /^\s*<(?:\?xml|!DOCTYPE|svg)/i
const DECLARATION = /<!ENTITY\s+(%\s+)?[^\s"'>%]+\s+(?:"([^"]*)"|'([^']*)'|([^"'>]*))/g
/** Maximum length of an entity: namespaces and short texts, as drawing programs declare them. */
const LONGEST = 1_024

/**
 * Throws Fault `invalid` for an XML file whose entities (XML 1.0, 4.2) could expand or name other files: one that
 * references another, is long, is external or contains declarations, or is declared after the part of the file that
 * is read.
 */
export function assertEntities({ head, found }: Peek): void {
  if (!ENTITY_MARKS.some((mark) => found.has(mark))) return
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  if (!found.has(DECLARED)) {
    if (/^(?:\xff\xfe|\xfe\xff|<\0|\0<)/.test(text)) throw refused('declares entities in UTF-16')
    return
  }
  if (!XML.test(text)) return
  const declarations = [...text.matchAll(DECLARATION)]
  if (declarations.length !== text.split(DECLARED).length - 1 || declarations.length === 0)
    throw refused('declares entities in a form that is not read')
  for (const [, parameter, double, single, outside] of declarations) {
    const value = double ?? single
    if (parameter !== undefined || outside !== undefined || value === undefined) throw refused('declares entities outside of the file')
    if (value.length > LONGEST || /&(?!#)|%/.test(value)) throw refused('declares entities that grow when they are read')
  }
}

function refused(what: string): Fault {
  return new Fault('invalid', `The file ${what}, which is not read: write their values in their places.`, { loc: ['file_url'] })
}
