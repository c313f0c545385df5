import { decode } from '../../../_shared/charset/charset.js'
import { Fault, type ProviderContext, type ScratchFile } from '../../../../core/sdk/index.js'

/** Sources that are archives, with a fixed encoding. */
export const ZIPPED: readonly string[] = ['docx', 'odt', 'epub']
/** Maximum bytes of a text that is decoded here; a longer document exceeds pandoc's heap. */
const MOST_BYTES = 16 * 1024 * 1024
const CDATA = { begin: '<![CDATA[', end: ']]>' } as const

/**
 * The source for pandoc: text in UTF-8, whatever its encoding, and XHTML without CDATA sections, which pandoc's HTML
 * reader drops. Throws Fault `missing` for a FictionBook with tables, which pandoc's reader drops as well.
 */
export async function sourceOf(ctx: ProviderContext, { file, from }: { file: ScratchFile; from: string }): Promise<ScratchFile> {
  if (ZIPPED.includes(from) || file.size > MOST_BYTES) return file
  const bytes = Buffer.from(await ctx.scratch.bytes(file, MOST_BYTES))
  const text = decode(bytes, '')
  if (from === 'fb2' && text.includes('<table')) throw new Fault('missing', 'The book has tables, which pandoc would leave out.')
  const read = Buffer.from(from === 'xhtml' ? withoutCdata(text) : text)
  return read.equals(bytes) ? file : await ctx.scratch.write(read)
}

function withoutCdata(text: string): string {
  const [before = '', ...sections] = text.split(CDATA.begin)
  return before + sections.map(plain).join('')
}

function plain(section: string): string {
  const end = section.indexOf(CDATA.end)
  if (end === -1) return CDATA.begin + section
  const data = section.slice(0, end).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return data + section.slice(end + CDATA.end.length)
}
