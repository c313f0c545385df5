import type { LoadedPort, LoadedProvider } from '../loader/types.js'
import type { Attempt } from '../telemetry/types.js'

/** The record of a try that begins. */
export function attemptOf(
  { port, under }: { readonly port: LoadedPort; readonly under?: string | undefined },
  { vendor }: LoadedProvider,
): Attempt {
  return { provider: vendor.id, port: port.port.id, ...(under === undefined ? {} : { under }), outcome: 'broken', ms: 0 }
}

/** The tries of one call by start time, including those of work that keeps its own list. */
export class AttemptList {
  readonly #places: { next: number }
  #entries: { readonly place: number; readonly attempt: Attempt }[] = []

  /** `above` is the list that this one will be merged into. */
  constructor(above?: AttemptList) {
    this.#places = above === undefined ? { next: 0 } : above.#places
  }

  get all(): Attempt[] {
    return this.#entries.map(({ attempt }) => attempt)
  }

  /** Reserves the place of a try that begins now. */
  place(): number {
    return this.#places.next++
  }

  add(attempt: Attempt, place = this.place()): void {
    const last = this.#entries.at(-1)
    this.#entries.push({ place, attempt })
    if (last !== undefined && last.place > place) this.#entries.sort((one, other) => one.place - other.place)
  }

  /** Merges the tries of another list, and removes `standIn` where one was added for them. */
  takeOver(other: AttemptList, standIn: Attempt | null = null): void {
    this.#entries = this.#entries.filter(({ attempt }) => attempt !== standIn)
    for (const { attempt, place } of other.#entries) this.add(attempt, place)
  }
}

/** Vendors that were called, each once, in the order of their first try; skipped ones are left out. */
export function providersTried(attempts: readonly Attempt[]): string[] {
  const tried = new Set<string>()
  for (const attempt of attempts) if (attempt.outcome !== 'skipped') tried.add(attempt.provider)
  return [...tried]
}
