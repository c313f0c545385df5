import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { furnish } from '../../gateway/furnish.js'
import { startGateway } from '../../gateway/start.js'
import { httpServer } from '../../../core/sdk/testkit/servers.js'
import { median } from '../files/figure.js'
import { scored, type Field } from './score.js'
import { GROUPS } from './sets.js'
import { KINDS, tasksIn, type Kind, type Task } from './tasks.js'
import type { InvoiceTruth } from './types.js'

const HELP = `npm run bench:invoices -- [--group open|scored|extras] [--kind NAME] [--name TEXT] [--wrong] [--wrong-scored]

Makes invoices of all layouts, asks a gateway of this build about each with the vendors that need no account (e-invoice and layout), and prints how many
fields are right. Layouts of the group open may be looked at by whoever works on the parser; it is scored by those of the group scored, of which --wrong shows
nothing. The group extras has text PDFs with lines between subtotal and total, in more languages. Needs Chromium, poppler-utils and what the plugins reading and invoices need.

--group, --kind   only these; kinds are ${KINDS.join(', ')}
--name            only documents whose name contains it
--wrong           each wrong field of the layouts that may be inspected
--wrong-scored    each wrong field of the others
`
/** Percent of fields and milliseconds, of the whole document or a page of a scan. */
const GOALS: Readonly<Record<Kind, { readonly percent: number; readonly ms: number }>> = {
  'e-invoice': { percent: 100, ms: 50 },
  'e-invoice in PDF': { percent: 100, ms: 300 },
  'text PDF': { percent: 95, ms: 300 },
  scan: { percent: 85, ms: 4_000 },
}
/** Of the group extras. */
const EXTRAS = { percent: 90, ms: 300 }
const LEFT_OUT = ['mindee', 'veryfi', 'azure', 'google', 'openai-compatible', 'anthropic', 'gemini']
const WARM_UPS = 2

interface Result {
  readonly task: Task
  readonly fields: readonly Field[]
  readonly ms: number
  readonly error: string | null
}

const { values } = parseArgs({
  options: {
    group: { type: 'string', default: '' },
    kind: { type: 'string', default: '' },
    name: { type: 'string', default: '' },
    wrong: { type: 'boolean', default: false },
    'wrong-scored': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const say = (line: string) => void process.stdout.write(`${line}\n`)
if (values.help) process.stdout.write(HELP)
else await main()

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-invoices-'))
  // Programs run as users of their own, who must be able to enter it.
  chmodSync(folder, 0o711)
  const gateway = await startGateway({
    upstream: 'http://127.0.0.1:9',
    env: { CAPSTAN_WATERFALL_INVOICES_PARSE: LEFT_OUT.map((id) => `-${id}`).join(','), TMPDIR: folder },
  })
  try {
    const groups = GROUPS.filter((group) => values.group === '' || group === values.group)
    const kinds = KINDS.filter((kind) => values.kind === '' || kind === values.kind)
    const tasks = (await tasksIn(folder, { groups, kinds })).filter(({ name }) => name.includes(values.name))
    const [key = ''] = await furnish(gateway, 1)
    const results = await resultsOf(tasks, `${gateway.url}/v1/invoices/parse`, key)
    report(results)
  } finally {
    await gateway.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function resultsOf(tasks: readonly Task[], url: string, key: string): Promise<Result[]> {
  const files = new Map<string, Buffer>()
  const site = await httpServer((request, response) => void response.end(files.get(request.url ?? '')))
  const parse = async (task: Task, place: number): Promise<Result> => {
    const path = `/${String(place)}/${task.file}`
    files.set(path, task.bytes)
    const began = performance.now()
    const reply = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ document_url: `${site.url}${path}` }),
    })
    const body = (await reply.json()) as { data: InvoiceTruth | null; error: { detail: string } | null }
    const ms = performance.now() - began
    files.delete(path)
    return { task, fields: scored(task.truth, body.data), ms, error: body.error?.detail ?? null }
  }
  try {
    for (const kind of KINDS) for (const task of tasks.filter((each) => each.kind === kind).slice(0, WARM_UPS)) await parse(task, -1)
    const results: Result[] = []
    for (const [place, task] of tasks.entries()) results.push(await parse(task, place))
    return results
  } finally {
    await site.close()
  }
}

function report(results: readonly Result[]): void {
  say(`${String(cpus().length)} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.version}.\n`)
  say('| documents | layouts | fields right | percent | goal | | ms (median) | goal | |')
  say('|---|---|---|---|---|---|---|---|---|')
  for (const kind of KINDS)
    for (const group of GROUPS) {
      const own = results.filter(({ task }) => task.kind === kind && task.group === group)
      if (own.length > 0) say(rowOf(kind, group, own))
    }
  const languages = new Set(results.map(({ task }) => /\s([a-z]{2})-/.exec(task.name)?.[1]))
  say(`\n${String(results.length)} documents, ${String(languages.size)} languages: ${[...languages].join(', ')}.`)
  for (const group of GROUPS)
    wrongFields(
      group,
      results.filter(({ task }) => task.group === group),
    )
}

function rowOf(kind: Kind, group: string, own: readonly Result[]): string {
  const fields = own.flatMap((result) => result.fields)
  const right = fields.filter((field) => field.right).length
  const percent = (100 * right) / fields.length
  const ms = median(own.map(({ ms: whole, task }) => (kind === 'scan' ? whole / task.pages : whole)))
  const goal = group === 'extras' ? EXTRAS : GOALS[kind]
  const met = (yes: boolean) => (yes ? 'met' : 'missed')
  const unit = kind === 'scan' ? 'ms a page' : 'ms'
  return (
    `| ${kind} (${String(own.length)}) | ${group} | ${String(right)} of ${String(fields.length)} | ${percent.toFixed(1)} | ${String(goal.percent)} | ` +
    `${met(percent >= goal.percent)} | ${ms.toFixed(0)} | ${String(goal.ms)} ${unit} | ${met(ms <= goal.ms)} |`
  )
}

/** The layout of a document. */
function setOf({ name }: Task): string {
  return name.split(' ')[0] ?? ''
}

function wrongFields(group: string, results: readonly Result[]): void {
  const shown = group === 'open' ? values.wrong : values['wrong-scored']
  for (const kind of KINDS) {
    const own = results.filter(({ task }) => task.kind === kind)
    const wrong = own.flatMap(({ task, fields }) => fields.filter((field) => !field.right).map((field) => ({ task, field })))
    const failed = own.filter(({ error }) => error !== null)
    if (wrong.length === 0) continue
    const sets = [...new Set(own.map(({ task }) => setOf(task)))].map((set) => {
      const fields = own.filter(({ task }) => setOf(task) === set).flatMap((result) => result.fields)
      return `${set} ${((100 * fields.filter(({ right }) => right).length) / fields.length).toFixed(1)} %`
    })
    const counts = new Map<string, number>()
    for (const { field } of wrong) counts.set(field.name, (counts.get(field.name) ?? 0) + 1)
    const sorted = [...counts].sort((one, other) => other[1] - one[1]).map(([name, count]) => `${name} ${String(count)}`)
    say(
      `\nWrong, ${kind}, ${group}: ${sorted.join(', ')}; without an answer ${String(failed.length)} of ${String(own.length)}. ${sets.join(', ')}.`,
    )
    if (!shown) continue
    for (const { task, error } of failed) say(`  ${task.name}: ${error ?? ''}`)
    for (const { task, field } of wrong.filter(({ field: { got } }) => got !== undefined))
      say(
        `  ${task.name}: ${field.name}${field.line === null ? '' : `[${String(field.line)}]`} ${JSON.stringify(field.got)}, not ${JSON.stringify(field.wanted)}`,
      )
  }
}
