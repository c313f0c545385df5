import type { HandlerContext } from '../../../core/sdk/index.js'
import { pageFacts } from '../../scrape/contract.js'
import type { Source } from './types.js'

const FACTS_MS = 15_000
/** A text with one of these in its beginning is markup that may say something for machines. */
const MARKUP = /<(?:!doctype html|html|head|body|meta|script|table|article|div)[\s>]/i
/** Characters of a text that are looked at. */
const LOOKED_AT = 100_000
/** A text of the caller has no address. */
const BASE = 'https://content.invalid/'

/** A text of the caller as it is, with what it says for machines where it is HTML. */
export async function readContent(content: string, ctx: HandlerContext): Promise<Source> {
  const facts = MARKUP.test(content.slice(0, LOOKED_AT))
    ? await ctx.aside((side) => side.call(pageFacts, { html: content, base: BASE }), { withinMs: FACTS_MS })
    : null
  return { text: content, facts, tables: [], truncated: false }
}
