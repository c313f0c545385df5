import { Fault, provider } from '../../../core/sdk/index.js'
import { structuredData as vendor } from '../../_vendors/structured-data.js'
import { chat } from '../../llm/contract.js'
import { extractVendors, type ExtractQuestion } from '../contract.js'
import { MODEL_HELPS } from '../no-model.js'
import { callerSchema } from '../schema/caller-schema.js'
import type { Mapped, MappedInput } from '../work/mapped.js'

const MAP = new URL('../work/mapped.js', import.meta.url)
const LIMITS = { timeoutMs: 10_000, heapMb: 256 }
const MOST_NAMES = 20

/**
 * A source's structured data, without a model: used when it fills everything the schema requires. It does not read
 * the text itself, which may contain missing values.
 */
export const structuredDataExtract = provider(extractVendors, {
  vendor,
  rank: 90,
  timeoutMs: 20_000,
  serves: ({ schema }) => schema !== null,
  run: async (question, ctx) => {
    if (question.schema === null) throw new Fault('missing', 'Structured data needs a schema.', { inconclusive: true })
    const schema = await callerSchema(ctx, question.schema, ['schema'])
    const { extracted, absent, empty, truncated } = await ctx.work<Mapped>(MAP, inputOf(question, schema.schema), LIMITS)
    const violations = empty ? [] : await schema.violations(extracted)
    if (empty || violations.length > 0) {
      const lacking = violations.slice(0, 5).map(({ at, message }) => `${at} ${message}`)
      const reason = empty ? 'nothing of it was found' : lacking.join('; ')
      throw new Fault(
        'missing',
        `Structured data of the source does not fill the schema: ${reason}.${ctx.has(chat) ? '' : ` ${MODEL_HELPS}`}`,
        { inconclusive: true },
      )
    }
    const unread = question.facts?.json_ld_unread ?? 0
    if (unread > 0) ctx.note(`${String(unread)} ${unread === 1 ? 'block' : 'blocks'} of JSON-LD could not be read.`)
    ctx.note(`Filled without a language model, from structured data, tables and labels of the source.${absentNote(absent)}`)
    return { extracted: { ...extracted }, truncated }
  },
})

function absentNote(absent: readonly string[]): string {
  if (absent.length === 0) return ''
  const more = absent.length > MOST_NAMES ? ` and ${String(absent.length - MOST_NAMES)} more` : ''
  return ` Not found: ${absent.slice(0, MOST_NAMES).join(', ').slice(0, 1_000)}${more}.`
}

function inputOf({ text, facts, tables, prompt }: ExtractQuestion, schema: Readonly<Record<string, unknown>>): MappedInput {
  const sheets = tables.map(({ rows }) => ({ header: null, rows }))
  if (facts === null) return { schema, prompt, text, items: [], metadata: {}, tables: sheets }
  const { json_ld, microdata, rdfa, open_graph, twitter, dublin_core, title, description, author, site_name, keywords } = facts
  const { language, canonical, url, published, modified, emails, phones } = facts
  return {
    schema,
    prompt,
    text,
    items: [...json_ld, ...microdata, ...rdfa],
    metadata: {
      ...{
        // An unreadable block describes the page's subject; without it the page's title would be used as its name.
        title: facts.json_ld_unread === undefined ? title : null,
        description,
        author,
        siteName: site_name,
        keywords,
        language,
        canonical: canonical ?? url,
        published,
        modified,
        emails,
        phones,
      },
      ...dublin_core,
      ...twitter,
      ...open_graph,
    },
    tables: [...sheets, ...facts.tables.map(({ header, rows }) => ({ header, rows }))],
  }
}
