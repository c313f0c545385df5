import type { Losses } from './parse/compare.js'

type Kind = Losses['kinds'][number]['kind']

/** Singular and plural of each kind. */
const NAMES: Readonly<Record<Kind, readonly [string, string]>> = {
  cells: ['table cell', 'table cells'],
  items: ['list item', 'list items'],
  notes: ['footnote', 'footnotes'],
  comments: ['comment', 'comments'],
  margins: ['header or footer', 'headers and footers'],
  speaking: ['page of speaker notes', 'pages of speaker notes'],
  rows: ['row', 'rows'],
  paragraphs: ['paragraph', 'paragraphs'],
  pictures: ['picture', 'pictures'],
}
/** Most sheets that are named. */
const MOST_NAMED = 10

/** A sentence for each kind of content that a conversion left out. */
export function lossNotes({ kinds, sheets }: Losses): string[] {
  const counted = kinds.map(({ kind, of, missing }) => {
    const [one, several] = NAMES[kind]
    const were = missing === 1 ? 'was' : 'were'
    return missing === of ? `${missing} ${of === 1 ? one : several} ${were} left out.` : `${missing} of ${of} ${several} ${were} left out.`
  })
  return sheets.length === 0 ? counted : [...counted, sheetsNote(sheets)]
}

function sheetsNote(sheets: readonly string[]): string {
  const more = sheets.length - MOST_NAMED
  const named = sheets.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return sheets.length === 1 ? `1 sheet was left out: ${named}.` : `${sheets.length} sheets were left out: ${named}.`
}
