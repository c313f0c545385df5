import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../../../core/runtime/root.js'
import { median, row, tableHead } from '../files/figure.js'
import { answersTo, reportText, type Answered } from './answers.js'
import { corpusIn } from './corpus.js'
import { faultyRun, type FaultyRun } from './faulty-runs.js'
import { QUESTIONS, UNSEEN } from './questions.js'
import { scriptedReport, type ReportScore } from './scripted-reports.js'

const HELP = `npm run bench:research -- [--only answers|faults|reports] [--runs N] [--set NAME] [--question TEXT] [--show]

answers   sends a gateway of this build two sets of 20 questions over at least 500 pages of Debian documentation, in the depths standard and deep, without a language
          model: how often the answer is in the report and in the first three sources, how sure reports are, and how long they take
faults    runs the research with searches, pages, look-ups and a model that fail, hang or are slow at random, in virtual time: no counter may be passed
reports   reports over pages whose facts are known, with a model that errs: which markers point to a source that holds what is said

--runs      runs of faults and of reports (1000)
--set       only the set of questions whose name begins so: questions or unseen
--question  only questions that contain it
--show      all reports; all runs and sentences that are wrong

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
    set: { type: 'string', default: '' },
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
  const packages = new Set(pages.map((page) => page.package))
  const results: Answered[] = []
  for (const [name, set] of Object.entries({ 'questions by which it was improved': QUESTIONS, 'unseen questions': UNSEEN })) {
    const questions = set.filter(({ question }) => question.includes(values.question))
    if (questions.length === 0 || (values.set !== '' && !name.startsWith(values.set))) continue
    for (const { question, answers: wanted } of questions)
      if (!pages.some(({ text }) => wanted.some((answer) => answer.test(text))))
        throw new Error(`No page of the corpus answers: ${question}`)
    say(
      tableHead(
        `${String(pages.length)} pages of ${String(packages.size)} packages, ${String(questions.length)} ${name}, no language model`,
      ),
    )
    const answered = await answersTo(pages, questions, ['standard', 'deep'])
    for (const depth of ['standard', 'deep'])
      answerRows(
        depth,
        answered.filter((result) => result.depth === depth),
      )
    results.push(...answered)
  }
  confidenceRows(results)
  for (const result of results.filter((each) => values.show || !each.inReport || !each.inTopThree)) sayMissing(result)
  say('')
}

function answerRows(depth: string, own: readonly Answered[]): void {
  const share = (of: (result: Answered) => boolean): number => (100 * own.filter(of).length) / own.length
  const mostMs = MOST_MS[depth] ?? 0
  const inReport = share((each) => each.inReport)
  say(row(`${depth}: the answer is in the report`, inReport, { least: 80, unit: '%' }))
  const inSummary = share((each) => each.inSummary)
  say(row(`${depth}: the answer is in the summary`, inSummary, { unit: '%' }))
  const inTopThree = share((each) => each.inTopThree)
  say(row(`${depth}: the answer is in the first three sources`, inTopThree, { least: 90, unit: '%' }))
  const characters = median(own.map(({ output }) => reportText(output).length))
  say(row(`${depth}: characters of the report, median`, characters, { unit: '' }))
  const [took, processor] = [median(own.map(({ ms }) => ms)), median(own.map((each) => each.cpuMs))]
  say(row(`${depth}: median`, took, { most: mostMs, unit: 'ms' }))
  say(row(`${depth}: processor time of the gateway, median`, processor, { unit: 'ms' }))
  say(row(`${depth}: slowest`, Math.max(...own.map(({ ms }) => ms)), { most: mostMs, unit: 'ms' }))
}

/** How sure the reports are that have the answer, and those that have not. */
function confidenceRows(results: readonly Answered[]): void {
  const mean = (right: boolean): number => {
    const own = results.filter((each) => each.inReport === right).flatMap(({ output }) => output?.report?.confidence ?? [])
    return own.reduce((sum, value) => sum + value, 0) / Math.max(1, own.length)
  }
  const [right, wrong] = [mean(true), mean(false)]
  say(row('mean confidence where the report has the answer', right, { least: Number(wrong.toFixed(2)), unit: '' }))
  say(row('mean confidence where it has not', wrong, { unit: '' }))
}

function sayMissing({ question, depth, inReport, inTopThree, output, error }: Answered): void {
  const missing = [inReport ? '' : 'the report', inTopThree ? '' : 'the first three sources'].filter((part) => part !== '').join(' and ')
  say(`\n${depth}: ${question} ${missing === '' ? 'Found.' : `Not in ${missing}.`}${error === null ? '' : ` ${error}`}`)
  if (!values.show) return
  const urls = (output?.sources ?? []).slice(0, 5).map(({ url }) => url)
  say(`confidence ${String(output?.report?.confidence)}\n${urls.join('\n')}\n${reportText(output)}`)
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
