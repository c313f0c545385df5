import { Fault, type Given, type Services } from '../../core/sdk/index.js'
import { MODEL_FILE_LIMITS, type chat } from '../llm/contract.js'
import { documentPages } from '../reading/contract.js'

/** An image or document attached to a question. */
export type ModelFile = NonNullable<Given<(typeof chat)['input']>['files']>[number]

const PDF = 'application/pdf'

/** Throws an `invalid` Fault for files beyond every model's limits: too many, or too large. */
export function assertBounded(files: readonly ModelFile[]): void {
  const { files: most, picture, document, together } = MODEL_FILE_LIMITS
  if (files.length > most) throw new Fault('invalid', `A model is shown at most ${most} pictures and documents.`)
  for (const { file, content_type } of files) {
    const limit = content_type === PDF ? document : picture
    if (file.size > limit) throw new Fault('invalid', `A model is shown files of type ${content_type} of at most ${limit} bytes.`)
  }
  if (files.reduce((sum, { file }) => sum + file.size, 0) > together)
    throw new Fault('invalid', `A model is shown at most ${together} bytes of pictures and documents together.`)
}

/** Replaces each PDF by images of its pages, up to the model's limits; notes omitted pages. Faults as `document.pages`. */
export async function asPictures(files: readonly ModelFile[], context: Pick<Services, 'call' | 'note'>): Promise<ModelFile[]> {
  const shown: ModelFile[] = []
  let left: number = MODEL_FILE_LIMITS.files - files.filter(({ content_type }) => content_type !== PDF).length
  let bytes = files.reduce((sum, { file, content_type }) => sum + (content_type === PDF ? 0 : file.size), 0)
  for (const each of files) {
    if (each.content_type !== PDF) {
      shown.push(each)
      continue
    }
    const { pages, total } = left < 1 ? { pages: [], total: Infinity } : await context.call(documentPages, { file: each.file, most: left })
    let taken = 0
    for (const page of pages.slice(0, left)) {
      if (page.file.size > MODEL_FILE_LIMITS.picture || bytes + page.file.size > MODEL_FILE_LIMITS.together) break
      shown.push(page)
      bytes += page.file.size
      taken++
    }
    left -= taken
    if (taken === 0) throw new Fault('missing', 'The pages of the document cannot be shown to the model.')
    if (taken < total) context.note(`The model saw the first ${taken} pages of the document.`)
  }
  return shown
}
