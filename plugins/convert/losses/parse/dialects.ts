import type { Kind } from './content.js'

type Attributes = Readonly<Record<string, string>>

/** The elements of a format by role, named without prefixes. */
export interface Dialect {
  readonly html?: true
  /** Elements that begin and end a paragraph. */
  readonly blocks: ReadonlySet<string>
  /** Elements whose text is one block of a kind. */
  readonly kinds: Readonly<Record<string, Kind>>
  /** Elements equivalent to a blank. */
  readonly blanks: ReadonlySet<string>
  /** Elements that are skipped with their content. */
  readonly skips: ReadonlySet<string>
  /** The elements that contain text, unless all do. */
  readonly texts?: ReadonlySet<string>
  readonly hidden?: (attributes: Attributes) => boolean
  readonly picture: (name: string, attributes: Attributes) => boolean
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** WordprocessingML and DrawingML (ECMA-376 17 and 21): document, notes, comments, headers and footers. */
export const WORD_TEXT: Dialect = {
  blocks: words('p'),
  kinds: { tc: 'cells', footnote: 'notes', endnote: 'notes', comment: 'comments', hdr: 'margins', ftr: 'margins' },
  blanks: words('tab br cr noBreakHyphen'),
  // Fallback repeats the choice before it; an object contains a picture of itself.
  skips: words('Fallback moveFrom oMath pPrChange rPrChange object sectPr'),
  texts: words('t'),
  picture: (name) => name === 'pic' || name === 'imagedata',
}

/** PresentationML (ECMA-376 19): slides, and their notes. */
export const SLIDE_TEXT: Dialect = {
  blocks: words('p'),
  kinds: { tc: 'cells', notes: 'speaking' },
  blanks: words('br'),
  skips: words('Fallback fld oMath'),
  texts: words('t'),
  picture: (name) => name === 'pic',
}

/**
 * Preview pictures of objects and tables that LibreOffice writes for other programs, and pictures outside the
 * archive.
 */
const PREVIEW = /^$|ObjectReplacements|TablePreview\d/

/** OpenDocument (ODF 1.3 part 3). */
export const OPEN_TEXT: Dialect = {
  blocks: words('p h'),
  kinds: { 'table-cell': 'cells', 'list-item': 'items', 'note-body': 'notes', annotation: 'comments', notes: 'speaking' },
  blanks: words('s tab line-break'),
  skips: words(
    'tracked-changes note-citation title desc forms hidden-text hidden-paragraph sequence-decls binary-data event-listeners scripts ' +
      'master-styles automatic-styles styles font-face-decls meta settings object page-number page-count date time table-of-content ' +
      'alphabetical-index page-continuation covered-table-cell header-decl footer-decl date-time-decl',
  ),
  picture: (name, attributes) => name === 'image' && !PREVIEW.test(attributes['xlink:href'] ?? ''),
}

const HIDDEN = /display\s*:\s*none|visibility\s*:\s*hidden/i

export const WEB: Dialect = {
  html: true,
  blocks: words(
    'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr ' +
      'legend main nav ol p pre section summary table tbody tfoot thead tr ul',
  ),
  kinds: { td: 'cells', th: 'cells', li: 'items' },
  blanks: words('br wbr img'),
  skips: words(
    'head script style title noscript template select datalist textarea button svg math object iframe audio video canvas rp map dialog',
  ),
  hidden: (attributes) => attributes['hidden'] !== undefined || HIDDEN.test(attributes['style'] ?? ''),
  picture: (name, { src = '' }) => name === 'img' && /^data:image\/(?!svg)/i.test(src),
}

/** A page of a book, whose pictures are files of the book. */
export const BOOK_PAGE: Dialect = { ...WEB, picture: (name) => name === 'img' || name === 'image' }

/** FictionBook 2. */
export const FICTION: Dialect = {
  blocks: words('p v subtitle text-author section title first-name middle-name last-name nickname book-title genre lang date id version'),
  kinds: { td: 'cells', th: 'cells' },
  blanks: words('empty-line'),
  skips: words('description binary stylesheet'),
  picture: (name) => name === 'image',
}

/** DocBook 4 and 5. Its pictures are separate files. */
export const DOCBOOK: Dialect = {
  blocks: words('para simpara formalpara title subtitle programlisting screen literallayout term'),
  kinds: { entry: 'cells', td: 'cells', th: 'cells', listitem: 'items', footnote: 'notes' },
  blanks: words('sbr'),
  skips: words(
    'info articleinfo bookinfo chapterinfo sectioninfo indexterm remark math mathphrase inlineequation equation informalequation',
  ),
  picture: () => false,
}

const NO_TEXT = words('binary binary-data script style stylesheet scripts settings font-face-decls')

/** The same for a result, in which optional content of a source also counts as kept, such as the title that describes the document. */
export function ofResult(dialect: Dialect): Dialect {
  return { ...dialect, skips: NO_TEXT, hidden: () => false }
}
