// Loaded before any time passes.
import '../../../plugins/research/run.js'
import { defaultsOf } from '../../../core/sdk/index.js'
import { BUDGETS } from '../../../plugins/research/budget.js'
import { research, type ResearchInput, type ResearchOutput } from '../../../plugins/research/contract.js'
import { researchHandler } from '../../../plugins/research/handler.js'
import { random, type Random } from '../invoices/random.js'
import { scriptedContext } from './scripted-context.js'
import { VirtualClock } from './virtual-clock.js'

const SETTINGS = { at_once: 8, model_tokens: 80_000 }
const PLACES = 'Northfield Eastwick Westbury Southmoor Highgate Lowdale Oldbridge Newharbour Stonehill Rivermouth Lakeside Millbrook'.split(
  ' ',
)
const THINGS = [
  'power station',
  'suspension bridge',
  'water tower',
  'cement works',
  'railway tunnel',
  'grain harbour',
  'paper mill',
  'observatory',
]
const MEASURES = [
  ['capacity', 'megawatts'],
  ['length', 'metres'],
  ['height', 'metres'],
  ['yearly output', 'tonnes'],
  ['cost', 'million euros'],
] as const
const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const PAGES = 6
const FACTS = 5
const SENTENCES = 10
/** Sentence forms for facts of pages. */
const RESTATED = [
  (subject: string, value: string) => `According to the records, ${subject} is ${value}`,
  (subject: string, value: string) => `${subject.replace(/^the/, 'The')} amounts to ${value}`,
  (subject: string, value: string) => `It is reported that ${subject} is ${value}`,
]

/** One statement of a page. */
interface Fact {
  /** Such as "the length of the suspension bridge in Westbury", which no other fact has. */
  readonly subject: string
  readonly value: string
}

export interface ReportScore {
  /** Markers in what the model, or the extractive writer, wrote, and how many of them are right. */
  readonly written: number
  readonly right: number
  /** Markers in the report as it was answered, and those that are right. */
  readonly kept: number
  readonly keptRight: number
  /** Sentences of the answer that are wrong, for readers who check them. */
  readonly wrong: readonly string[]
}

/**
 * A research over pages whose facts are known, with a model that errs in so many of its sentences (another figure, another source, a source that does not
 * exist, a fact of nobody), or without a model when `errors` is null. Each marker is held against the pages by the facts themselves.
 */
export async function scriptedReport(seed: number, errors: number | null): Promise<ReportScore> {
  const dice = random(seed)
  const place = dice.several(PLACES, PAGES)
  const pages = place.map((name) => pageOf(dice, name))
  const byUrl = new Map(pages.map((page) => [page.url, page]))
  const written: string[] = []
  const fetched = new Set<string>()
  const clock = new VirtualClock()
  const { ctx } = scriptedContext({
    clock,
    deadlineMs: BUDGETS.standard.timeMs,
    settings: SETTINGS,
    ports: {
      'search.serp': () => ({
        organic_results: pages.map(({ url, title }, at) => ({ url, title, snippet: null, position: at + 1 })),
        knowledge_graph: null,
        featured_snippet: null,
      }),
      'scrape.fetch': ({ url }: { url: string }) => {
        fetched.add(url)
        return {
          content: byUrl.get(url)?.text ?? '',
          title: byUrl.get(url)?.title ?? '',
          description: null,
          links: [],
          screenshot_url: null,
        }
      },
      ...(errors === null ? {} : { 'llm.chat': (input: ChatInput) => modelAnswer(input, { dice, pages, errors, written }) }),
    },
  })
  const given = {
    query: `What is known of the ${THINGS.slice(0, 3).join(', ')} in ${place.slice(0, 3).join(', ')}?`,
    enrich_entities: false,
  }
  const output = (await clock.until(
    researchHandler.run({ ...defaultsOf(research.input), ...given } as ResearchInput as never, ctx),
  )) as ResearchOutput
  const numbers = new Map(output.sources.map(({ id, url }) => [id, byUrl.get(url)]))
  const holds = ({ source, text }: Claim): boolean => {
    const page = numbers.get(source)
    if (page === undefined || !fetched.has(page.url)) return false
    const bare = text.replace(/\s*\[Source \d+\]/g, '').replace(/[.\s]+$/, '')
    return page.text.includes(bare) || page.facts.some(({ subject, value }) => bare.toLowerCase().includes(subject) && bare.endsWith(value))
  }
  const report = output.report
  const answered = [
    report?.summary ?? '',
    ...(report?.sections ?? []).map(({ content }) => content),
    ...(report?.key_findings ?? []),
  ].flatMap(claimsIn)
  const own = errors === null ? answered : written.flatMap(claimsIn)
  return {
    written: own.length,
    right: own.filter(holds).length,
    kept: answered.length,
    keptRight: answered.filter(holds).length,
    wrong: answered
      .filter((claim) => !holds(claim))
      .map(({ text, source }) => `${text.trim()} (${numbers.get(source)?.title ?? 'no source'})`),
  }
}

interface Claim {
  readonly text: string
  readonly source: number
}

/** The sentences of a text with each of their markers. Facts are written without a full stop inside. */
function claimsIn(text: string): Claim[] {
  return text
    .split(/(?<=\])\.?\s+|\n+|\.\s+/)
    .flatMap((sentence) => [...sentence.matchAll(/\[Source (\d+)\]/g)].map(([, id]) => ({ text: sentence, source: Number(id) })))
}

interface KnownPage {
  readonly url: string
  readonly title: string
  readonly text: string
  readonly facts: readonly Fact[]
}

function pageOf(dice: Random, place: string): KnownPage {
  const facts = dice.several(THINGS, FACTS).map((thing): Fact => {
    const [measure, unit] = dice.pick(MEASURES)
    const opened = dice.next() < 0.3
    return opened
      ? {
          subject: `the day on which the ${thing} in ${place} opened`.toLowerCase(),
          value: `${String(dice.whole(1, 28))} ${dice.pick(MONTHS)} ${String(dice.whole(1850, 2020))}`,
        }
      : { subject: `the ${measure} of the ${thing} in ${place}`.toLowerCase(), value: `${String(dice.whole(11, 989))} ${unit}` }
  })
  const named = (subject: string): string => subject.replace(place.toLowerCase(), place)
  const sentences = facts.map(({ subject, value }) => `As the yearbook says, ${named(subject)} is ${value}.`)
  const filler = 'Visitors come by train and walk along the water to the old market, which is open on most days of the week.'
  return {
    url: `https://${place.toLowerCase()}.example/yearbook`,
    title: `Yearbook of ${place}`,
    text: `# Yearbook of ${place}\n\n${sentences.map((sentence) => `${sentence} ${filler}`).join('\n\n')}`,
    facts: facts.map(({ subject, value }) => ({ subject, value })),
  }
}

interface ChatInput {
  readonly prompt: string
  readonly schema: { readonly properties?: Readonly<Record<string, unknown>> }
}

interface Author {
  readonly dice: Random
  readonly pages: readonly KnownPage[]
  readonly errors: number
  readonly written: string[]
}

/** Writes a report from the passages that it is shown, and returns no parts of the question, people or companies. */
function modelAnswer({ prompt, schema }: ChatInput, { dice, pages, errors, written }: Author) {
  const answer = (object: unknown) => ({ text: '', object, truncated: false, model: 'scripted' })
  const { properties = {} } = schema
  if (!('sections' in properties)) return answer(Object.fromEntries(Object.keys(properties).map((name) => [name, []])))
  const shown = new Map<number, KnownPage>()
  for (const row of prompt.split('\n').filter((each) => each.startsWith('{"source":'))) {
    const { source, title } = JSON.parse(row) as { source: number; title: string }
    const page = pages.find((each) => each.title === title)
    if (page !== undefined) shown.set(source, page)
  }
  const numbers = [...shown.keys()]
  const sentences = Array.from({ length: SENTENCES }, () => {
    const source = dice.pick(numbers)
    const page = shown.get(source)
    const fact = dice.pick(page?.facts ?? [])
    const subject = fact.subject.replace(/ in (\w)/, (_, letter: string) => ` in ${letter.toUpperCase()}`)
    const restate = (value: string, marker: number): string => `${dice.pick(RESTATED)(subject, value)} [Source ${String(marker)}].`
    if (dice.next() >= errors) return restate(fact.value, source)
    const other = dice.pick(numbers.filter((each) => each !== source).concat(numbers.length === 1 ? [99] : []))
    return dice.pick([
      () =>
        restate(
          fact.value.replace(/\d+/, (figure) => String(Number(figure) + dice.whole(1, 9))),
          source,
        ),
      () => restate(fact.value, other),
      () => restate(fact.value, 77),
      () => `The lighthouse of Farpoint was sold for ${String(dice.whole(1000, 9000))} crowns [Source ${String(source)}].`,
    ])()
  })
  written.push(sentences.join(' '))
  const object = {
    title: 'Yearbooks',
    summary: sentences.slice(0, 4).join(' '),
    sections: [{ heading: 'More', content: sentences.slice(4, 8).join(' ') }],
    key_findings: sentences.slice(8),
  }
  return answer(object)
}
