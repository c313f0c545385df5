import { Fault, type Services } from '../../../core/sdk/index.js'
import type { Question, ReadPage } from '../contract.js'
import type { Source } from '../work/source.js'
import type { TextInput, TextOutput, TextRead } from '../work/text.js'
import { bounded, inWorker } from './worker.js'

const READ = new URL('../work/text.js', import.meta.url)

/**
 * A text as a page: unchanged as Markdown, escaped in a `pre` element as HTML; its web addresses are its links.
 * Throws `blocked` for one over a limit, `missing` for an empty one.
 */
export async function textPage(context: Services, source: Source, output: Question['output']): Promise<ReadPage> {
  const { content, links } = await readText(context, [source], output)
  if (content === '') throw new Fault('missing', 'the page is empty')
  return { content, title: null, description: null, links: [...links], screenshot_url: null }
}

/** The same for a text in parts, separated by blank lines; its content is empty when all parts are. */
export async function readText(context: Services, parts: readonly Source[], output: Question['output']): Promise<TextRead> {
  const input: TextInput = { parts: parts.map(bounded), output }
  const read = await inWorker<TextOutput>(context, READ, input)
  if ('limit' in read) throw new Fault('blocked', read.limit)
  return read
}
