import { MARKUP, REFERENCES } from '../../../../plugins/convert/engines/pandoc/formats.js'
import { holds, says, type Check } from '../checks.js'
import { TEXTS, WORDS } from '../texts.js'
import type { Trip } from './types.js'

const ZIPPED = ['docx', 'odt', 'pptx', 'epub', 'epub2']
/** How letters beyond ASCII are written where they are not written as they are. */
const ASCII: Readonly<Record<string, string>> = {
  rtf: 'Words of a sample',
  csljson: 'Words of a sample',
  ipynb: 'Words of a sample',
  native: '"Words"',
}
const ASCII_WORDS: readonly string[] = ['ms', 'man', 'texi', 'pandoc-json', 'haddock', 'bib', 'biblatex', 'tex', 'beamer', 'context']

/** Each format is made of Markdown, or has a sample of its own, and is made into text again where pandoc reads it. */
export function markup(): Trip[] {
  return Object.entries(MARKUP).flatMap(([id, { read, write }]) => {
    const back = { to: 'txt', check: says(WORDS) }
    if (REFERENCES.includes(id)) return [references(id)]
    if (id === 'txt') return []
    if (id === 'md' || id === 'html')
      return [{ engine: 'pandoc', data: TEXTS[id] ?? '', steps: [{ from: id, ...back }] }, made(id, read, write)]
    return [write === undefined ? { engine: 'pandoc', data: TEXTS[id] ?? '', steps: [{ from: id, ...back }] } : made(id, read, write)]
  })
}

function made(id: string, read: string | undefined, write: string | undefined): Trip {
  // pandoc does not read the tables of a FictionBook, and the sample of Markdown has one.
  const source = id === 'md' || id === 'fb2' ? 'html' : 'md'
  const first = { from: source, to: id, check: sure(id) }
  const steps = read === undefined || write === undefined ? [first] : [first, { from: id, to: 'txt', check: says(WORDS) }]
  return { engine: 'pandoc', data: TEXTS[source] ?? '', steps }
}

function sure(id: string): Check {
  if (ZIPPED.includes(id)) return holds(WORDS)
  const ascii = ASCII[id] ?? (ASCII_WORDS.includes(id) ? 'sample' : undefined)
  if (ascii !== undefined) return says(ascii)
  return id === 'opml' ? says('outline') : says(WORDS)
}

function references(id: string): Trip {
  const rest = [{ from: id, to: 'txt', check: says('Words of a') }]
  const data = TEXTS['bib'] ?? ''
  if (id === 'bib')
    return {
      engine: 'pandoc',
      data,
      steps: [{ from: 'bib', to: 'csljson', check: says('Words of a') }, { from: 'csljson', to: 'bib' }, ...rest],
    }
  return { engine: 'pandoc', data, steps: [{ from: 'bib', to: id, check: says('Words of a') }, ...rest] }
}
