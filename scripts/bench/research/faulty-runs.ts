// Loaded before any time passes.
import '../../../plugins/research/run.js'
import { defaultsOf, Fault } from '../../../core/sdk/index.js'
import { BUDGETS } from '../../../plugins/research/budget.js'
import { research, type ResearchInput, type ResearchOutput } from '../../../plugins/research/contract.js'
import { researchHandler } from '../../../plugins/research/handler.js'
import { random, type Random } from '../invoices/random.js'
import { scriptedContext, type Own, type Ports } from './scripted-context.js'
import { VirtualClock } from './virtual-clock.js'

/** A run may take so much longer than its time budget. */
const SLACK = 1.05
const SETTINGS = { at_once: 8, model_tokens: 80_000 }
const WORDS =
  'kettle boiler steam pressure valve copper steel lime scale heat water price safety norm test plant works north harbour bridge'.split(' ')

export interface FaultyRun {
  readonly seed: number
  readonly depth: ResearchInput['depth']
  /** Null when the run ended with a Fault. */
  readonly output: ResearchOutput | null
  readonly fault: Fault | null
  /** A search had results, so that there had to be a report. */
  readonly found: boolean
  readonly ms: number
  /** What is wrong with the run; empty when nothing is. */
  readonly wrong: readonly string[]
}

/** How often things go wrong in a run: from never to always. */
interface Odds {
  readonly fails: number
  readonly hangs: number
  readonly slow: number
}

/** A research in which searches, pages, look-ups and the model answer, fail, hang or are slow at random; the same for the same seed. */
export async function faultyRun(seed: number): Promise<FaultyRun> {
  const dice = random(seed)
  const clock = new VirtualClock()
  const depth = dice.pick(['standard', 'deep', 'comprehensive'] as const)
  const state = { found: false }
  const given = {
    query: `How does the ${dice.several(WORDS, 4).join(' ')} work?`,
    depth,
    source_types: dice.pick([['web'], ['web', 'news'], ['web', 'academic']]),
  }
  const input = { ...defaultsOf(research.input), ...given, max_sources: dice.pick([3, 15, 40]) } as ResearchInput
  const deadlineMs = BUDGETS[depth].timeMs * SLACK
  const { ctx, calls } = scriptedContext({ clock, ports: portsOf(dice, state), deadlineMs, settings: SETTINGS })
  const ended = await clock.until(
    researchHandler.run(input as never, ctx).then(
      (output) => ({ output: output as ResearchOutput, fault: null }),
      (error: unknown) => {
        if (!Fault.is(error)) throw error
        return { output: null, fault: error }
      },
    ),
  )
  const run = { seed, depth, ...ended, found: state.found, ms: clock.now }
  return { ...run, wrong: wrongIn(run, calls) }
}

function wrongIn({ depth, output, fault, found, ms }: Omit<FaultyRun, 'wrong'>, calls: ReadonlyMap<string, number>): string[] {
  const { searches, scrapes, entities, modelCalls, timeMs } = BUDGETS[depth]
  const count = (...ports: string[]): number => ports.reduce((sum, port) => sum + (calls.get(port) ?? 0), 0)
  const passed = [
    ['searches', count('search.serp', 'academic.search'), searches],
    ['scrapes', count('scrape.fetch', 'scrape.render'), scrapes],
    ['entities', count('companies.find', 'profiles.find'), entities],
    ['model calls', count('llm.chat'), modelCalls],
  ].flatMap(([what, used, most]) => (Number(used) > Number(most) ? [`${String(used)} ${String(what)} of ${String(most)}`] : []))
  const late = ms > timeMs * SLACK ? [`${String(ms)} ms of ${String(timeMs)}`] : []
  const empty = found && (output?.report ?? null) === null ? [`no report: ${fault?.message ?? 'null'}`] : []
  const unfounded = !found && output !== null ? ['a report without a source'] : []
  return [...passed, ...late, ...empty, ...unfounded]
}

function portsOf(dice: Random, state: { found: boolean }): Ports {
  const odds = (): Odds => ({ fails: dice.pick([0, 0.2, 0.5, 0.9]), hangs: dice.pick([0, 0.1, 0.4, 0.9]), slow: dice.pick([0, 0.3, 1]) })
  const [reading, chatting, enriching] = [odds(), odds(), odds()]
  // Where no search has a result there is nothing to report: rarer than other troubles.
  const searching = { ...odds(), fails: dice.pick([0, 0, 0.2, 0.5]), hangs: dice.pick([0, 0, 0.1, 0.4]) }
  const answers =
    <T>(rates: Odds, answer: (input: { url?: string }) => T) =>
    async (input: { url?: string }, own: Own): Promise<T> => {
      await trouble(dice, rates, own)
      return answer(input)
    }
  const results = () => Array.from({ length: dice.whole(0, 10) }, (_, at) => hitOf(dice, at))
  return {
    'search.serp': answers(searching, () => {
      const found = results()
      if (found.length > 0) state.found = true
      return { organic_results: found, knowledge_graph: null, featured_snippet: null }
    }),
    'academic.search': answers(searching, () => {
      const works = results().map(({ url, title, snippet }) => ({
        url,
        title,
        snippet,
        authors: [],
        published: '2024',
        doi: null,
        venue: null,
        citations: null,
        pdf_url: null,
      }))
      if (works.length > 0) state.found = true
      return { works }
    }),
    'scrape.fetch': answers(reading, () => pageOf(dice)),
    ...(dice.next() < 0.3 ? { 'scrape.render': answers(reading, () => pageOf(dice)) } : {}),
    ...(dice.next() < 0.6 ? { 'llm.chat': answers(chatting, () => chatAnswer(dice)) } : {}),
    ...(dice.next() < 0.5
      ? {
          'companies.find': answers(enriching, () => ({ company_name: null, industry: null, employees: null })),
          'profiles.find': answers(enriching, () => ({ company: null, title: null, experience: [] })),
        }
      : {}),
  }
}

/** Passes, takes a while, throws a Fault, or never ends. */
async function trouble(dice: Random, { fails, hangs, slow }: Odds, own: Own): Promise<void> {
  if (dice.next() < hangs)
    await new Promise((_, reject) => own.signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }))
  await own.wait(dice.next() < slow ? dice.whole(1, 30_000) : dice.whole(1, 200))
  if (dice.next() < fails) throw new Fault(dice.pick(['missing', 'blocked', 'busy', 'quota', 'broken'] as const), 'It went wrong.')
}

function hitOf(dice: Random, at: number) {
  const words = dice.several(WORDS, 6)
  const site = dice.whole(1, 30)
  return {
    url: `https://site${String(site)}.example/${words.join('-')}`,
    title: words.join(' '),
    snippet: dice.next() < 0.8 ? sentence(dice) : null,
    position: at + 1,
  }
}

function pageOf(dice: Random) {
  const paragraphs = Array.from({ length: dice.whole(0, 40) }, () =>
    Array.from({ length: dice.whole(1, 5) }, () => sentence(dice)).join(' '),
  )
  return { content: paragraphs.join('\n\n'), title: dice.several(WORDS, 3).join(' '), description: null, links: [], screenshot_url: null }
}

function sentence(dice: Random): string {
  const words = dice.several(WORDS, dice.whole(5, 12)).join(' ')
  return `The ${words} is ${String(dice.whole(1, 900))} metres long.`
}

/** A model that says nothing, nonsense, something in another form, or very much. */
function chatAnswer(dice: Random) {
  const report = {
    title: 'A report',
    summary: `${sentence(dice)} [Source ${String(dice.whole(1, 50))}]`,
    sections: [{ heading: 'A part', content: `${sentence(dice)} [Source 1] ${sentence(dice)}` }],
    key_findings: [sentence(dice)],
  }
  const plan = {
    questions: Array.from({ length: dice.whole(0, 12) }, () => ({ question: sentence(dice), search: dice.several(WORDS, 3).join(' ') })),
  }
  const objects = [
    null,
    'nonsense',
    [],
    {},
    { people: [], companies: [] },
    plan,
    plan,
    report,
    report,
    { ...report, summary: 'x'.repeat(200_000) },
    { questions: 7 },
  ]
  return { text: dice.pick(['', 'I cannot do that.', '{"half": ']), object: dice.pick(objects), truncated: false, model: 'scripted' }
}
