import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../../../core/runtime/root.js'
import { median, row, tableHead } from '../files/figure.js'
import { askedAll, reportText, type Answered } from './answers.js'
import { corpusIn } from './corpus.js'
import { faultyRun, type FaultyRun } from './faulty-runs.js'
import { QUESTIONS } from './questions.js'
import { scriptedReport, type ReportScore } from './scripted-reports.js'

const HELP = `npm run bench:research -- [--only answers|faults|reports] [--runs N] [--question TEXT] [--show]

answers   asks a gateway of this build 20 questions over at least 500 pages of Debian documentation, in the depths standard and deep, without a language
          model: how often the answer stands in the report and in the first three sources, and how long it takes
faults    runs the research with searches, pages, look-ups and a model that fail, hang or are slow at random, in virtual time: no counter may be passed
reports   reports over pages whose facts are known, with a model that errs: which markers point to a source that holds what is said

--runs      runs of faults and of reports (1000)
--question  only questions that contain it
--show      what was answered, for questions whose answer is missing; runs and sentences that are wrong

Needs apt-get and dpkg for the first start: the documentation is downloaded into .build and not kept elsewhere.
`
const LEAST_PAGES = 500
/** Milliseconds of a research with vendors that answer at once. */
const MOST_MS: Readonly<Record<string, number>> = { standard: 3_000, deep: 8_000 }
/** Share of its sentences in which the model errs: as a good one does, and as a bad one. */
const ERRORS = { careful: 0.04, careless: 0.4 } as const

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    runs: { type: 'string', default: '1000' },
    question: { type: 'string', default: '' },
    show: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const say = (line: string): void => void process.stdout.write(`${line}\n`)
if (values.help) process.stdout.write(HELP)
else await main()

async function main(): Promise<void> {
  const runs = Number(values.runs)
  const wants = (part: string): boolean => values.only === '' || values.only === part
  if (wants('answers')) await answers()
  if (wants('faults')) await faults(runs)
  if (wants('reports')) await reports(runs)
}

async function answers(): Promise<void> {
  const pages = corpusIn(join(packageRoot(), '.build', 'research-corpus'), { least: LEAST_PAGES, say })
  const questions = QUESTIONS.filter(({ question }) => question.includes(values.question))
  for (const { question, answers: wanted } of questions)
    if (!pages.some(({ text }) => wanted.some((answer) => answer.test(text)))) throw new Error(`No page of the corpus answers: ${question}`)
  const packages = new Set(pages.map((page) => page.package))
  const results = await askedAll(pages, questions, ['standard', 'deep'])
  say(
    tableHead(
      `${String(pages.length)} pages of ${String(packages.size)} packages, ${String(questions.length)} questions, no language model`,
    ),
  )
  for (const depth of ['standard', 'deep']) {
    const own = results.filter((result) => result.depth === depth)
    const share = (of: (result: Answered) => boolean): number => (100 * own.filter(of).length) / own.length
    say(
      row(
        `${depth}: the answer stands in the report`,
        share(({ inReport }) => inReport),
        { least: 80, unit: '%' },
      ),
    )
    say(
      row(
        `${depth}: the answer stands in the first three sources`,
        share(({ inTopThree }) => inTopThree),
        { least: 90, unit: '%' },
      ),
    )
    say(row(`${depth}: median`, median(own.map(({ ms }) => ms)), { most: MOST_MS[depth] ?? 0, unit: 'ms' }))
    say(row(`${depth}: processor time of the gateway, median`, median(own.map((each) => each.cpuMs)), { unit: 'ms' }))
    say(row(`${depth}: slowest`, Math.max(...own.map(({ ms }) => ms)), { most: MOST_MS[depth] ?? 0, unit: 'ms' }))
  }
  for (const { question, depth, inReport, inTopThree, output, error } of results.filter((each) => !each.inReport || !each.inTopThree)) {
    const missing = [inReport ? '' : 'the report', inTopThree ? '' : 'the first three sources'].filter((part) => part !== '').join(' and ')
    say(`\n${depth}: ${question} Not in ${missing}.${error === null ? '' : ` ${error}`}`)
    if (values.show)
      say(
        `${(output?.sources ?? [])
          .slice(0, 5)
          .map(({ url }) => url)
          .join('\n')}\n${reportText(output)}`,
      )
  }
  say('')
}

async function faults(runs: number): Promise<void> {
  const all: FaultyRun[] = []
  for (let seed = 1; seed <= runs; seed++) all.push(await faultyRun(seed))
  const wrong = all.filter((run) => run.wrong.length > 0)
  const reported = all.filter(({ output }) => output !== null)
  say(tableHead(`${String(runs)} runs with random faults in virtual time`))
  say(row('runs with a counter passed, late, or without a report', wrong.length, { most: 0, unit: 'runs' }))
  say(row('runs that ended in a report', reported.length, { unit: 'runs' }))
  say(row('runs whose searches all failed, which end in a Fault', all.filter(({ found }) => !found).length, { unit: 'runs' }))
  say(
    row('runs with budget_exhausted', reported.filter(({ output }) => output?.metadata.budget_exhausted === true).length, { unit: 'runs' }),
  )
  for (const run of wrong.slice(0, values.show ? Infinity : 5)) say(`  seed ${String(run.seed)}, ${run.depth}: ${run.wrong.join('; ')}`)
  say('')
}

async function reports(runs: number): Promise<void> {
  say(tableHead(`${String(runs)} reports of each kind over pages whose facts are known`))
  const kinds = [
    ['extractive', null, 95],
    [`a model that errs in ${String(100 * ERRORS.careful)} % of its sentences`, ERRORS.careful, 95],
    [`a model that errs in ${String(100 * ERRORS.careless)} % of its sentences`, ERRORS.careless, null],
  ] as const
  for (const [name, errors, least] of kinds) {
    const scores: ReportScore[] = []
    for (let seed = 1; seed <= runs; seed++) scores.push(await scriptedReport(seed, errors))
    const sum = (of: (score: ReportScore) => number): number => scores.reduce((all, score) => all + of(score), 0)
    const [written, right, kept, keptRight] = [sum((s) => s.written), sum((s) => s.right), sum((s) => s.kept), sum((s) => s.keptRight)]
    say(
      row(`${name}: markers that are right before the check`, (100 * right) / written, { ...(least === null ? {} : { least }), unit: '%' }),
    )
    say(
      row(`${name}: markers that are right in the answer (${String(keptRight)} of ${String(kept)})`, (100 * keptRight) / kept, {
        least: 100,
        unit: '%',
      }),
    )
    if (errors !== null)
      say(
        row(
          `${name}: right markers in the answer for each 100 written, those that the check put right included`,
          (100 * keptRight) / right,
          { unit: '' },
        ),
      )
    for (const sentence of scores.flatMap((score) => score.wrong).slice(0, values.show ? Infinity : 5)) say(`  ${sentence}`)
  }
  say('')
}
