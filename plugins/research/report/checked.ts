import type { HandlerContext } from '../../../core/sdk/index.js'
import type { NumberedSource } from '../run-state.js'
import { citedIn } from '../text/markers.js'
import type { CheckInput, CheckOutput } from '../work/check.js'
import type { Draft } from './extractive.js'

const MODULE = new URL('../work/check.js', import.meta.url)
const LIMITS = { timeoutMs: 5_000, heapMb: 256 }

export interface Checked {
  /** Null when nothing of it rests on a source. */
  readonly draft: Draft | null
  /** Sentences that were left out. */
  readonly struck: number
}

/** A draft without sentences whose figures, names or dates their sources do not hold. Only sources that may be cited are numbered; others hold nothing. */
export async function checkedDraft(draft: Draft, sources: readonly NumberedSource[], ctx: HandlerContext): Promise<Checked> {
  const highest = Math.max(0, ...sources.map(({ id }) => id))
  const byId = new Map(sources.map((source) => [source.id, source]))
  const texts = Array.from({ length: highest }, (_, at) => ({ passages: textsOf(byId.get(at + 1)) }))
  const parts = [draft.summary, ...draft.sections.map(({ content }) => content), ...draft.key_findings]
  const input: CheckInput = { parts, sources: texts }
  const { parts: kept, struck } = await ctx.work<CheckOutput>(MODULE, input, LIMITS)
  const [summary = '', ...rest] = kept
  const sections = draft.sections
    .map(({ heading }, at) => ({ heading, content: rest[at] ?? '' }))
    .filter(({ content }) => content !== '')
  const findings = rest.slice(draft.sections.length).filter((finding) => citedIn(finding).size > 0)
  const whole = { ...draft, summary, sections, key_findings: findings }
  return { draft: citedInDraft(whole).size === 0 ? null : whole, struck: struck.length }
}

/** The ids of the sources that a draft points to. */
export function citedInDraft({ summary, sections, key_findings }: Draft): Set<number> {
  return citedIn([summary, ...sections.map(({ content }) => content), ...key_findings].join('\n'))
}

function textsOf(source: NumberedSource | undefined): string[] {
  if (source === undefined) return []
  return [source.title, source.snippet ?? '', ...source.passages.flatMap(({ headings, text }) => [...headings, text])]
}
