import type { FaultKind } from '../sdk/index.js'

type Outcome = 'ok' | FaultKind | 'skipped'

/** One provider's try, as `metadata.attempts` shows it. Made when the try begins, finished when it ends. */
export interface Attempt {
  readonly provider: string
  readonly port: string
  outcome: Outcome
  ms: number
  reason?: string
}

/** Vendors that were really asked, each once, in the order of their first try. */
export function providersTried(attempts: readonly Attempt[]): string[] {
  const tried = new Set<string>()
  for (const attempt of attempts) if (attempt.outcome !== 'skipped') tried.add(attempt.provider)
  return [...tried]
}
