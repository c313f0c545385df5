import readOffice from '../../plugins/reading/parse/office.js'
import type { Read, ReadArgs } from '../../plugins/reading/parse/read.js'
import readText from '../../plugins/reading/parse/text.js'

const ALL = { html: true, tables: true, positions: false, attachments: true, firstPage: 1, maxPages: 200 } as const
const args = (ending: string): ReadArgs => ({ ...ALL, format: null, contentType: '', ending })

/** Reads an office document or a book in this process, as the sandbox does. */
export const readOfficeFile = (bytes: Uint8Array): Promise<Read> => readOffice(bytes, args(''))

/** Reads a file of text in this process, as the sandbox does. */
export const readTextFile = (text: string | Uint8Array, ending: string): Promise<Read> => readText(Buffer.from(text), args(ending))
