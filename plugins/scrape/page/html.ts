import { Fault, type Services } from '../../../core/sdk/index.js'
import type { Question, ReadPage } from '../contract.js'
import type { Extracted, ExtractInput, ExtractOutput } from '../work/extract.js'
import type { Source } from '../work/source.js'
import { WAIT_REMEDY } from './remedies.js'
import { statusFault } from './status.js'
import { isRefusal, noContent, verdictFault } from './verdict.js'
import { bounded, inWorker } from './worker.js'

const EXTRACT = new URL('../work/extract.js', import.meta.url)

/** A fetched main document. */
export interface Got {
  readonly html: Source
  /** Address after redirects. */
  readonly url: string
  readonly status: number
  /** The page's `Retry-After` header. */
  readonly retryAfter?: string | undefined
}

/** Options of an extraction beside the document. */
type Wanted = Pick<Question, 'url' | 'output'> & {
  /** Selector to match in the markup; null when the vendor waited for it. */
  readonly selector: string | null
  readonly whole?: boolean
  /** The document is as sent by its server: no scripts ran. */
  readonly unscripted?: true
}

/** Reads a document as a page. Throws `blocked` for refusals, challenges and login pages, `missing` for missing pages. */
export async function readHtml(context: Services, got: Got, wanted: Wanted): Promise<ReadPage> {
  return toPage(context, await extractHtml(context, got, wanted), wanted)
}

/** The same with all results of the extraction. */
export async function extractHtml(context: Services, got: Got, wanted: Wanted): Promise<Extracted> {
  const refused = statusFault(got.status, got.retryAfter)
  if (refused !== null && !refused.unavailable) throw refused
  const found = await extract(context, {
    html: bounded(got.html),
    url: got.url,
    asked: wanted.url,
    output: wanted.output,
    selector: wanted.selector,
    ...(wanted.whole === true ? { whole: true } : {}),
  })
  const { verdict } = found
  if (refused !== null) throw isRefusal(verdict) ? verdictFault(verdict, wanted.unscripted !== true) : refused
  // A page without text may redirect its visitor.
  if (verdict !== null && (verdict.kind !== 'empty' || found.refresh === null)) throw verdictFault(verdict, wanted.unscripted !== true)
  return found
}

/** An extraction as a port's answer, with its notes. Throws when the selector does not match or there is no content. */
export function toPage(context: Services, found: Extracted, wanted: Wanted): ReadPage {
  if (found.badSelector) throw new Fault('invalid', 'wait_for is not a CSS selector', { loc: ['wait_for'] })
  if (found.matched === false)
    throw new Fault('missing', `wait_for: no element of the page matches ${JSON.stringify(wanted.selector)}`, { remedy: WAIT_REMEDY })
  if (found.content === '') throw new Fault('missing', noContent(wanted.unscripted !== true))
  for (const note of found.notes) context.note(note)
  return {
    content: found.content,
    title: found.title,
    description: wanted.whole === true ? null : found.description,
    links: [...found.links],
    screenshot_url: null,
  }
}

async function extract(context: Services, input: ExtractInput): Promise<Extracted> {
  const output = await inWorker<ExtractOutput>(context, EXTRACT, input)
  if ('limit' in output) throw new Fault('blocked', output.limit)
  return output
}
