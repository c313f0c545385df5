import { Fault, type JobState, nullable, type Static, Type } from '../../core/sdk/index.js'

const task = Type.Object({
  name: Type.Optional(nullable(Type.String())),
  operation: Type.String(),
  status: Type.String(),
  credits: Type.Optional(nullable(Type.Number())),
  code: Type.Optional(nullable(Type.String())),
  percent: Type.Optional(nullable(Type.Number())),
  result: Type.Optional(
    nullable(
      Type.Object({
        form: Type.Optional(nullable(Type.Object({ url: Type.String(), parameters: Type.Record(Type.String(), Type.Unknown()) }))),
        files: Type.Optional(nullable(Type.Array(Type.Object({ url: Type.Optional(nullable(Type.String())) })))),
      }),
    ),
  ),
})

/** A job in CloudConvert's answers to its creation and to polls. */
export const job = Type.Object({ data: Type.Object({ id: Type.String(), status: Type.String(), tasks: Type.Array(task) }) })
type Job = Static<typeof job>
type Task = Static<typeof task>

/** Names of the tasks, used to read the answers. */
export const TASKS = { source: 'source', converted: 'converted', result: 'result' } as const

interface Result {
  readonly urls: readonly string[]
  readonly credits: number
}

/** State of the job. */
export function stateOf({ data: { status, tasks } }: Job): JobState<Result> {
  if (status === 'error') return { state: 'failed', fault: failureOf(tasks) }
  if (status !== 'finished') {
    const percent = tasks.find(({ name }) => name === TASKS.converted)?.percent ?? undefined
    return { state: 'running', step: 'converting', ...(percent === undefined ? {} : { done: percent, total: 100 }) }
  }
  const files = tasks.find(({ name }) => name === TASKS.result)?.result?.files ?? []
  const urls = files.flatMap(({ url }) => (url === undefined || url === null ? [] : [url]))
  if (urls.length === 0) return { state: 'failed', fault: new Fault('broken', 'CloudConvert finished the job without a file.') }
  return { state: 'done', result: { urls, credits: creditsOf(tasks) } }
}

function creditsOf(tasks: readonly Task[]): number {
  return tasks.reduce((sum, each) => sum + (each.credits ?? 0), 0)
}

/** Credits charged for a finished job, also a failed one; null while it runs. */
export function spentBy({ data: { status, tasks } }: Job): number | null {
  return status === 'error' || status === 'finished' ? creditsOf(tasks) : null
}

/** The first task that failed by itself has the reason; later ones only lack their input. */
function failureOf(tasks: readonly Task[]): Fault {
  const own = tasks.find(({ status, code }) => status === 'error' && code !== 'INPUT_TASK_FAILED')
  const code = own?.code ?? ''
  const options = { internal: `${own?.operation ?? 'no task'}: ${code}` }
  if (code === 'CREDITS_EXCEEDED') return new Fault('quota', 'The credits of the CloudConvert account are used up.', options)
  if (code === 'TIMEOUT') return new Fault('busy', 'CloudConvert did not convert the file in time.', options)
  if (own?.operation === 'import/upload') return new Fault('broken', 'CloudConvert did not take the file.', options)
  return new Fault('missing', 'CloudConvert could not convert the file.', options)
}

/** Upload target of the source. */
export function uploadOf({ data: { tasks } }: Job): { url: string; fields: { name: string; data: string }[] } {
  const form = tasks.find(({ name }) => name === TASKS.source)?.result?.form
  if (form === undefined || form === null) throw new Fault('broken', 'CloudConvert named no address for the file.')
  const fields = Object.entries(form.parameters).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [{ name, data: String(value) }] : [],
  )
  return { url: form.url, fields }
}
