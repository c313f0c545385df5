import { Fault, provider, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { reader as vendor } from '../../_vendors/reader.js'
import { documentRead, type DocumentRead } from '../contract.js'
import { headOf, isContainer, isPdf } from '../head.js'
import type { Attached, Read, ReadArgs } from '../parse/read.js'

const PDF = new URL('../parse/pdf.js', import.meta.url)
const OFFICE = new URL('../parse/office.js', import.meta.url)
const TEXT = new URL('../parse/text.js', import.meta.url)
const PARSE_MS = 30_000
/** Size in bytes above which more memory is allowed. */
const LARGE = 2 * 1024 * 1024

export const reader = provider(documentRead, {
  vendor,
  rank: 10,
  run: async ({ file, format, content_type, name, want, first_page, max_pages }, context) => {
    const head = await headOf(file, context)
    const args: ReadArgs = {
      format,
      contentType: content_type?.toLowerCase() ?? '',
      ending: /\.([a-z0-9]{1,10})$/.exec(name?.toLowerCase() ?? '')?.[1] ?? '',
      html: want.includes('html'),
      tables: want.includes('tables'),
      positions: want.includes('positions'),
      attachments: want.includes('attachments'),
      firstPage: first_page,
      maxPages: max_pages,
    }
    const module = isPdf(head, format === 'pdf' || /^application\/(?:x-)?pdf/.test(args.contentType) || args.ending === 'pdf')
      ? PDF
      : isContainer(head)
        ? OFFICE
        : TEXT
    const { attachments, ...read } = await parsed(context, module, { file, args })
    const files: DocumentRead['attachments'] = []
    for (const each of attachments) files.push(await stored(each, context))
    return { ...read, attachments: files }
  },
})

/** Exceeding a sandbox limit is the file's fault, even if other providers remain. */
async function parsed(context: ProviderContext, module: URL, { file, args }: { file: ScratchFile; args: ReadArgs }): Promise<Read> {
  try {
    return await context.parse<Read>(module, file, { timeoutMs: PARSE_MS, memoryMb: file.size > LARGE ? 1_024 : 512, args })
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'blocked') throw error
    throw new Fault('invalid', `The file is not read: ${error.message}.`, { cause: error, costly: error.costly })
  }
}

async function stored({ base64, ...about }: Attached, context: ProviderContext): Promise<DocumentRead['attachments'][number]> {
  return { ...about, file: base64 === null ? null : await context.scratch.write(Buffer.from(base64, 'base64')) }
}
