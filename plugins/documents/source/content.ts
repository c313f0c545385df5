import type { HandlerContext } from '../../../core/sdk/index.js'
import { pageFacts } from '../../scrape/contract.js'
import type { Source } from './types.js'

const FACTS_MS = 15_000
/** A text that starts with one of these is markup that may contain structured data. */
const MARKUP = /<(?:!doctype html|html|head|body|meta|script|table|article|div)[\s>]/i
/** Characters of a text that are searched. */
const LOOKED_AT = 100_000
/** A caller's text has no address. */
const BASE = 'https://content.invalid/'

/** A caller's text, with its structured data if it is HTML. */
export async function readContent(content: string, ctx: HandlerContext): Promise<Source> {
  const facts = MARKUP.test(content.slice(0, LOOKED_AT))
    ? await ctx.aside((side) => side.call(pageFacts, { html: content, base: BASE }), { withinMs: FACTS_MS })
    : null
  return { text: content, facts, tables: [], truncated: false }
}
