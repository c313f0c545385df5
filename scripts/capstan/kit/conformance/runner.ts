import type { ConformanceCase } from './types.js'

export interface CaseResult {
  readonly plugin: string
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped'
  /** Why it failed or was skipped. */
  readonly reason: string | null
}

interface ConformanceSummary {
  readonly results: readonly CaseResult[]
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Runs the cases one after another and reports each as it ends; never rejects for a failed case. */
export async function runCases(
  cases: readonly ConformanceCase[],
  onResult: (result: CaseResult) => void = () => undefined,
): Promise<ConformanceSummary> {
  const results: CaseResult[] = []
  for (const each of cases) {
    const result = await resultOf(each)
    results.push(result)
    onResult(result)
  }
  const count = (state: CaseResult['state']): number => results.filter((result) => result.state === state).length
  return { results, passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
}

/** A result as a line of text. */
export function resultLine({ name, state, reason }: CaseResult): string {
  const mark = { passed: '✔', failed: '✖', skipped: '-' }[state]
  return `  ${mark} ${name}${reason === null ? '' : `\n      ${reason}`}`
}

/** `N passed, N failed, N skipped`. */
export function summaryLine({ passed, failed, skipped }: ConformanceSummary): string {
  return `${String(passed)} passed, ${String(failed)} failed, ${String(skipped)} skipped`
}

async function resultOf(each: ConformanceCase): Promise<CaseResult> {
  const { plugin, name, skip } = each
  if (skip !== null) return { plugin, name, state: 'skipped', reason: skip }
  try {
    await each.run()
    return { plugin, name, state: 'passed', reason: null }
  } catch (error) {
    return { plugin, name, state: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}
