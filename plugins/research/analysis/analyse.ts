import { Fault, foreignJson, SchemaCompiler, type HandlerContext } from '../../../core/sdk/index.js'
import { execute } from '../../code/contract.js'
import { pictureMake } from '../../picture/contract.js'
import type { Analysis, Chart } from '../contract.js'
import type { NumberedSource } from '../run-state.js'
import { statementOf } from '../statement.js'
import { shortNumber, type ChartSpec } from './draw.js'
import { drawn, programOf, type Drawn } from './program.js'
import { figuresOf } from './series.js'
import { tablesOf } from './tables.js'

const MOST_CHARTS = 3
/** Minimum match of a table with the query relative to the best one. */
const NEARLY = 0.6
const PROGRAM_SECONDS = 10
/** Width of a picture, twice that of the drawing. */
const WIDTH = 1_920

const shape = new SchemaCompiler().compile(drawn)

interface Chosen {
  readonly source: NumberedSource
  readonly spec: ChartSpec
  readonly score: number
}

/**
 * Charts of at most three tables in the sources that match the query best, drawn by a program in the code sandbox and
 * stored with their figures; null when no table has matching figures. Throws the sandbox's Fault when it cannot run
 * the program.
 */
export async function analyse(query: string, sources: readonly NumberedSource[], ctx: HandlerContext): Promise<Analysis | null> {
  const chosen = chartsFor(query, sources)
  if (chosen.length === 0) return null
  ctx.progress('analysis', `${String(chosen.length)} ${chosen.length === 1 ? 'table' : 'tables'}`)
  const pictures = await draw(
    chosen.map(({ spec }) => spec),
    ctx,
  )
  const charts = await Promise.all(chosen.map(({ spec }, at) => storedChart(spec, pictures[at], at + 1, ctx)))
  return { summary: chosen.map(({ source, spec }, at) => summaryOf(spec, pictures[at]?.facts ?? [], source.id)).join('\n'), charts }
}

/** The tables with figures whose headings and columns share most words with the query; identical figures of two sources appear once. */
export function chartsFor(query: string, sources: readonly NumberedSource[]): Chosen[] {
  const wanted = statementOf(query).terms
  const seen = new Set<string>()
  const found = sources
    .flatMap((source) =>
      tablesOf(source.text ?? '').flatMap((table): Chosen[] => {
        const figures = figuresOf(table)
        if (figures === null) return []
        const [only] = figures.series
        const names = figures.series.map(({ name }) => name)
        const heading = table.heading === '' ? source.title : table.heading
        const isNamed = only === undefined || figures.series.length > 1 || heading.toLowerCase().includes(only.name.toLowerCase())
        const title = isNamed ? heading : `${heading}: ${only.name}`
        const named = shared(wanted, [heading, ...names].join(' '))
        const score = 2 * named + shared(wanted, source.title) + 0.5 * shared(wanted, figures.labels.slice(0, 20).join(' '))
        const key = JSON.stringify([figures.labels, figures.series.map(({ values }) => values)])
        if (named === 0 || seen.has(key)) return []
        seen.add(key)
        return [{ source, score, spec: { ...figures, title, subtitle: `Source ${String(source.id)}` } }]
      }),
    )
    .sort((one, other) => other.score - one.score)
  return found.filter(({ score }) => score >= NEARLY * (found[0]?.score ?? 0)).slice(0, MOST_CHARTS)
}

function shared(wanted: ReadonlySet<string>, text: string): number {
  const { terms } = statementOf(text)
  return [...wanted].filter((term) => terms.has(term)).length
}

async function draw(specs: readonly ChartSpec[], ctx: HandlerContext): Promise<Drawn[]> {
  const run = await ctx.call(execute, { language: 'javascript', code: programOf(specs), timeout: PROGRAM_SECONDS })
  const printed = run.exit_code === 0 ? parsed(run.stdout) : null
  if (printed === null || !shape.check(printed) || printed.length !== specs.length)
    throw new Fault('broken', 'The charts could not be computed in the sandbox.', { internal: run.stderr.slice(0, 500) })
  return printed
}

function parsed(text: string): unknown {
  try {
    return foreignJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
}

async function storedChart(spec: ChartSpec, picture: Drawn | undefined, number: number, ctx: HandlerContext): Promise<Chart> {
  const svg = await ctx.scratch.write(new TextEncoder().encode(picture?.svg ?? ''))
  const name = `chart-${String(number)}`
  const data = await ctx.scratch.store(await ctx.scratch.write(new TextEncoder().encode(csvOf(spec))), {
    name: `${name}.csv`,
    contentType: 'text/csv',
  })
  const { file, contentType, extension } = ctx.has(pictureMake)
    ? { file: await pixels(svg, ctx), contentType: 'image/png', extension: 'png' }
    : { file: svg, contentType: 'image/svg+xml', extension: 'svg' }
  const stored = await ctx.scratch.store(file, { name: `${name}.${extension}`, contentType })
  return { title: spec.title, url: stored.url, content_type: contentType, expires_at: stored.expires_at, data_url: data.url }
}

async function pixels(svg: Awaited<ReturnType<HandlerContext['scratch']['write']>>, ctx: HandlerContext) {
  const { file } = await ctx.call(pictureMake, { file: svg, format: 'png', steps: [{ op: 'resize', width: WIDTH, enlarge: true }] })
  return file
}

/** The figures as CSV (RFC 4180). A text that a spreadsheet would evaluate gets a leading apostrophe. */
export function csvOf({ labels, series, unit }: ChartSpec): string {
  const cell = (text: string): string => {
    const inert = /^[=+\-@\t]/.test(text) ? `'${text}` : text
    return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
  }
  const header = ['label', ...series.map(({ name }) => (unit === '' ? name : `${name} (${unit})`))].map(cell)
  const rows = labels.map((label, at) => [cell(label), ...series.map(({ values }) => String(values[at] ?? ''))])
  return [header, ...rows].map((row) => `${row.join(',')}\r\n`).join('')
}

/** A one-line summary of the figures with the marker of their source. */
function summaryOf({ title, unit }: ChartSpec, facts: Drawn['facts'], source: number): string {
  const figure = (value: number): string => `${shortNumber(value)}${unit === '' ? '' : ` ${unit}`}`
  const statements = facts.map(({ name, count, least, most, mean, change }) => {
    const course = change === null ? '' : `, ${change < 0 ? 'down' : 'up'} ${shortNumber(Math.abs(change))} % from the first to the last`
    return `${name} lies between ${figure(least.value)} (${least.label}) and ${figure(most.value)} (${most.label}), on average ${figure(mean)} over ${String(count)} figures${course}`
  })
  const [only] = facts
  const about = facts.length === 1 && title.endsWith(`: ${only?.name ?? ''}`) ? title.slice(0, title.lastIndexOf(': ')) : title
  return `${about}: ${statements.join('; ')} [Source ${String(source)}].`
}
