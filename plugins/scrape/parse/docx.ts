import mammoth from 'mammoth'
import { checkZip, type ZipProblem } from './zip.js'

export type DocxOutput = { readonly html: string; readonly title: string | null } | ZipProblem

/** HTML of a Word document, without its pictures. Runs in the sandbox, after the archive was checked. */
export default async function parseDocx(bytes: Uint8Array): Promise<DocxOutput> {
  const problem = checkZip(bytes)
  if (problem !== null) return problem
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes) },
      { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) },
    )
    return { html: value, title: null }
  } catch (error) {
    if (error instanceof Error) return { problem: 'broken', message: 'the document at url is not a readable Word document' }
    throw error
  }
}
