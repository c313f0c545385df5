import type { Check } from '../../shapes/page.js'
import { GRADES, WEIGHTS, type CheckId, type Weight } from './weights.js'

/** Result of a check. */
export interface Finding {
  readonly id: CheckId
  readonly passed: boolean
  readonly detail: string
  /** Maximum score when it fails, in place of the table's. */
  readonly atMost?: number
}

export type Grade = 'A' | 'B' | 'C' | 'D' | 'E' | 'F'

export interface Verdict {
  readonly grade: Grade | null
  /** Percent. */
  readonly score: number | null
  readonly checks: Check[]
}

/** Weighs findings by the table. The score is the share of the weights that were checked; without findings grade and score are null. */
export function weigh(findings: readonly Finding[]): Verdict {
  const byId = new Map<string, Finding>(findings.map((finding) => [finding.id, finding]))
  const rows = WEIGHTS.flatMap((row: Weight) => {
    const found = byId.get(row.id)
    return found === undefined ? [] : [{ row, found }]
  })
  const checks = rows.map(({ row: { id, weight }, found: { passed, detail } }) => ({ id, passed, weight, detail }))
  if (rows.length === 0) return { grade: null, score: null, checks }
  const sum = (list: typeof rows): number => list.reduce((total, { row }) => total + row.weight, 0)
  const share = Math.floor((100 * sum(rows.filter(({ found }) => found.passed))) / sum(rows))
  const limits = rows.flatMap(({ row, found }) => (found.passed ? [] : [found.atMost ?? row.atMost ?? 100]))
  const score = Math.min(share, ...limits)
  return { grade: gradeOf(score), score, checks }
}

/** Whether a failed check limits the score to the worst grade by itself. */
export function keepsAtWorst(findings: readonly Finding[]): boolean {
  return findings.some((finding) => !finding.passed && gradeOf(finding.atMost ?? limitOf(finding.id)) === 'F')
}

function limitOf(id: CheckId): number {
  const row: Weight | undefined = WEIGHTS.find((each) => each.id === id)
  return row?.atMost ?? 100
}

function gradeOf(score: number): Grade {
  return GRADES.find(([, least]) => score >= least)?.[0] ?? 'F'
}
