import { Fault, Type, type ProviderContext, type Static } from '../../core/sdk/index.js'
import { textAt } from '../_vendors/text-at.js'
import type { RawFeatured, RawKnowledge } from './result.js'

const LONGEST = 100

const reply = Type.Object({ Heading: Type.String() })

interface InstantAnswer {
  readonly knowledge: RawKnowledge | null
  readonly featured: RawFeatured | null
}

const NONE: InstantAnswer = { knowledge: null, featured: null }

/** DuckDuckGo's topic data for short queries. It is optional: null when unavailable. */
export async function instantAnswer(ctx: ProviderContext, query: string): Promise<InstantAnswer> {
  if (query.length > LONGEST) return NONE
  try {
    return read(
      await ctx.api.json(
        { host: 'instant', path: '/', query: { q: query, format: 'json', no_redirect: 1, no_html: 1, skip_disambig: 1 } },
        reply,
      ),
    )
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    ctx.log('the instant answer could not be fetched', { kind: error.kind })
    return NONE
  }
}

function read(topic: Static<typeof reply>): InstantAnswer {
  const image = textAt(topic, 'Image')
  const direct = textAt(topic, 'Answer')
  return {
    knowledge: {
      title: topic.Heading,
      type: textAt(topic, 'Entity'),
      description: textAt(topic, 'AbstractText') || textAt(topic, 'Abstract'),
      url: textAt(topic, 'AbstractURL'),
      image_url: image.startsWith('/') ? `https://duckduckgo.com${image}` : image,
      attributes: facts(topic),
    },
    featured: direct === '' ? null : { text: direct, url: textAt(topic, 'AbstractURL') },
  }
}

/** `Infobox` is an object with a list, or an empty string. */
function facts(topic: object): (readonly [string, unknown])[] {
  const box: unknown = 'Infobox' in topic ? topic.Infobox : null
  const content: unknown = typeof box === 'object' && box !== null && 'content' in box ? box.content : null
  return Array.isArray(content) ? content.map((fact: unknown) => [textAt(fact, 'label'), textAt(fact, 'value')] as const) : []
}
