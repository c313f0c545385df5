import { atField } from '../_shared/at-field.js'
import { Fault, isTransientStatus, type ProviderContext } from '../../core/sdk/index.js'
import type { InputFile } from './contract.js'
import { INPUT_BYTES } from './violations.js'

/** A file placed beside the program. */
export interface GivenFile {
  readonly name: string
  readonly data: Uint8Array
}

/**
 * The contents of the caller's files; those with an address are fetched through the guard. Throws Fault `invalid` for
 * a file that is unavailable or too large.
 */
export async function givenFiles(files: readonly InputFile[], context: Pick<ProviderContext, 'web'>): Promise<GivenFile[]> {
  const given: GivenFile[] = []
  let left = INPUT_BYTES
  for (const [index, file] of files.entries()) {
    const data = file.url === null ? decoded(file) : await fetched(file.url, { index, left, context })
    left -= data.length
    if (left < 0)
      throw new Fault('invalid', `The input files are more than ${INPUT_BYTES} bytes together.`, { loc: ['input_files', index] })
    given.push({ name: file.name, data })
  }
  return given
}

function decoded({ content, encoding }: InputFile): Uint8Array {
  return Buffer.from(content ?? '', encoding === 'base64' ? 'base64' : 'utf8')
}

async function fetched(
  url: string,
  { index, left, context }: { index: number; left: number; context: Pick<ProviderContext, 'web'> },
): Promise<Uint8Array> {
  const at = ['input_files', index, 'url']
  const page = await atField(context.web.get(url, { maxBytes: Math.max(1, left) }), { loc: at, what: `the file at ${at.join('.')}` })
  if (isTransientStatus(page.status))
    throw new Fault('blocked', `The address of this input file answered with status ${page.status}.`, { unavailable: true })
  if (page.status < 200 || page.status > 299)
    throw new Fault('invalid', `The address of this input file answered with status ${page.status}.`, {
      loc: at,
    })
  return page.bytes
}
