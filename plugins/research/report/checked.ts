import type { HandlerContext } from '../../../core/sdk/index.js'
import type { NumberedSource } from '../run-state.js'
import { citedIn } from '../text/markers.js'
import type { CheckInput, CheckOutput } from '../work/check.js'
import type { Draft } from './extractive.js'

const MODULE = new URL('../work/check.js', import.meta.url)
const LIMITS = { timeoutMs: 5_000, heapMb: 256 }

/** Replacement for a heading that no source supports. */
const FINDINGS = 'Findings'

export interface Checked {
  /** Null when no part of it is supported by a source. */
  readonly draft: Draft | null
  /** Number of removed sentences. */
  readonly struck: number
}

/**
 * A draft without sentences whose figures, names or dates their sources do not support; headings may be supported by
 * any source. Only the sources that may be cited count.
 */
export async function checkedDraft(
  draft: Draft,
  { query, sources }: { readonly query: string; readonly sources: readonly NumberedSource[] },
  ctx: HandlerContext,
): Promise<Checked> {
  const highest = Math.max(0, ...sources.map(({ id }) => id))
  const byId = new Map(sources.map((source) => [source.id, source]))
  const texts = Array.from({ length: highest }, (_, at) => ({ passages: textsOf(byId.get(at + 1)) }))
  const { title, summary, sections, key_findings: findings } = draft
  const parts = [summary, ...findings, ...sections.map(({ content }) => content)]
  const headings = [title, ...sections.map(({ heading }) => heading)]
  const input: CheckInput = { parts, headings, query, sources: texts }
  const { parts: kept, headings: held, struck } = await ctx.work<CheckOutput>(MODULE, input, LIMITS)
  const [keptSummary = '', ...rest] = kept
  const whole: Draft = {
    title: held[0] === true ? title : query,
    summary: keptSummary,
    sections: sections
      .map(({ heading }, at) => ({ heading: held[at + 1] === true ? heading : FINDINGS, content: rest[findings.length + at] ?? '' }))
      .filter(({ content }) => content !== ''),
    key_findings: rest.slice(0, findings.length).filter((finding) => citedIn(finding).size > 0),
  }
  return { draft: citedInDraft(whole).size === 0 ? null : whole, struck: struck.length }
}

/** The ids of the sources cited in a draft. */
export function citedInDraft({ summary, sections, key_findings }: Draft): Set<number> {
  return citedIn([summary, ...sections.map(({ content }) => content), ...key_findings].join('\n'))
}

function textsOf(source: NumberedSource | undefined): string[] {
  if (source === undefined) return []
  return [source.title, source.snippet ?? '', ...source.passages.flatMap(({ headings, text }) => [...headings, text])]
}
