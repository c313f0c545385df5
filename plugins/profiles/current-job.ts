import { companyKey, folded } from './names.js'
import type { Job } from './record.js'

/** A person's current job according to a vendor. */
interface Headed {
  readonly company: string | null
  readonly title: string | null
}

interface CurrentJob {
  readonly company: string | null
  readonly title: string | null
  /** The current job first, then ongoing ones, then by date, latest first. */
  readonly experience: Job[]
}

/**
 * Company and title of the current job, and the consistent list of jobs with that one first. `heads` are in order of
 * trust. A vendor's statement is skipped when the jobs show that this one has ended. A stated job missing from every
 * list is added; without a statement, the latest ongoing one is used.
 */
export function withCurrentFirst(heads: readonly Headed[], jobs: readonly Job[]): CurrentJob {
  const sorted = [...jobs].sort(latestFirst)
  const stated = heads.find((head) => (head.company !== null || head.title !== null) && !hasEnded(head, sorted))
  const listed = stated === undefined ? sorted.find(({ current }) => current) : jobOf(stated, sorted)
  if (stated === undefined && listed === undefined) return { company: null, title: null, experience: sorted }
  const company = stated?.company ?? listed?.company ?? null
  const title = stated?.title ?? listed?.title ?? titleAt(company, heads)
  const first = { company, title, start_date: listed?.start_date ?? null, end_date: null, current: true }
  return { company, title, experience: [first, ...sorted.filter((job) => job !== listed)] }
}

/** The job of a list that matches the stated one: with its title, else the only current one at its company. */
function jobOf({ company, title }: Headed, jobs: readonly Job[]): Job | undefined {
  const current = jobs.filter((job) => job.current)
  if (company === null) return current.find((job) => sameText(title, job.title))
  const there = current.filter((job) => sameCompany(company, job.company))
  return there.find((job) => sameText(title, job.title)) ?? (there.length === 1 || title === null ? there[0] : undefined)
}

/** The title stated by any vendor at a company. */
function titleAt(company: string | null, heads: readonly Headed[]): string | null {
  return heads.find((head) => head.title !== null && sameCompany(head.company, company))?.title ?? null
}

function hasEnded(head: Headed, jobs: readonly Job[]): boolean {
  const own = jobs.filter((job) => (head.company === null ? sameText(head.title, job.title) : sameCompany(head.company, job.company)))
  return own.length > 0 && !own.some(({ current }) => current)
}

function sameCompany(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && companyKey(one) === companyKey(other)
}

function sameText(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && folded(one) === folded(other)
}

function latestFirst(one: Job, other: Job): number {
  if (one.current !== other.current) return one.current ? -1 : 1
  const by = (date: string | null) => date ?? ''
  return compare(by(other.end_date), by(one.end_date)) || compare(by(other.start_date), by(one.start_date))
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
