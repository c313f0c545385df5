import { MARKUP, REFERENCES } from './formats.js'

export const SOURCE = 'source'
export const RESULT = 'result'
export const FILTER = 'filter.lua'
const HEAP_MB = 640

/**
 * Debian's pandoc has its templates and empty documents in files, which its sandbox mode reads only when they are
 * named on the command line. With an option that the target does not use it reads the whole folder: fonts of an EPUB
 * for others, the reference document for EPUB.
 */
const SHOW_DATA = 'mkdir data && ln -s /usr/share/pandoc/data data/data && exec pandoc "$@"'

/** Arguments of `sh` to convert one file. Null when pandoc does not read or write one of the formats. */
export function command(from: string, to: string): string[] | null {
  const read = MARKUP[from]?.read
  const write = MARKUP[to]?.write
  if (read === undefined || write === undefined || from === to) return null
  // A list of references cannot be extracted from other documents.
  if (REFERENCES.includes(to) && !REFERENCES.includes(from)) return null
  const listed = REFERENCES.includes(from) && !REFERENCES.includes(to) ? ['--citeproc'] : []
  const data = write.startsWith('epub') ? '--reference-doc=data' : '--epub-embed-font=data'
  return [
    ...['-c', SHOW_DATA, 'pandoc', '--sandbox', '--standalone', data, `--lua-filter=${FILTER}`],
    ...['--from', read, '--to', write, '--output', RESULT],
    ...[...listed, SOURCE, '+RTS', `-M${String(HEAP_MB)}M`, '-RTS'],
  ]
}
