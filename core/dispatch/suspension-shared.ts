import type { Clock } from '../runtime/clock.js'
import type { RedisLink } from '../redis/types.js'
import { CLAIM, DROP, probeKey, PUT, READ, RENEW, SUSPENSIONS_KEY, UNCLAIM } from './suspension-scripts.js'
import { SUSPENSION_TIMES } from './suspension-times.js'
import type { SuspensionPeers } from './suspension-peers.js'
import type { SharedSuspension, Suspensions } from './suspension.js'

/** How often a replica reads what the others have suspended, in milliseconds. */
const LOOK_MS = 1_000
/** How long another replica's probe is waited for before its end is asked about again, in milliseconds. */
const ASK_AGAIN_MS = 1_000
const LONGEST_WHY = 300
const ENTRY = /^(\d+) (\d+) (.*)$/s

/** `asking` until Redis has answered; `won` until the probe is sent; a time (monotonic ms) before which another replica probes. */
type ProbeClaim = 'asking' | 'won' | number

/**
 * Keeps the suspensions of all replicas alike through Redis, but for the operator's, which are in the store. Decisions are made by
 * `Suspensions` from memory; changes are written in the background and others' are read every second. While Redis does not answer each
 * replica decides alone, and what it decided is told afterwards.
 */
export class SharedSuspensions implements SuspensionPeers {
  readonly #suspensions: Suspensions
  readonly #link: RedisLink
  readonly #clock: Clock
  readonly #instance: string
  readonly #stop: () => void
  /** Changed here and not known to have reached Redis, by id with a mark of the change. */
  readonly #pending = new Map<string, symbol>()
  /** What Redis said when last read, as it was written; empty for what was told since. */
  #seen = new Map<string, string>()
  #epoch: string | null = null
  readonly #claims = new Map<string, ProbeClaim>()
  #telling: Promise<void> | null = null
  #looking = false

  constructor(suspensions: Suspensions, parts: { link: RedisLink; clock: Clock; instance: string }) {
    this.#suspensions = suspensions
    this.#link = parts.link
    this.#clock = parts.clock
    this.#instance = parts.instance
    suspensions.join(this)
    this.#stop = parts.clock.every(LOOK_MS, () => void this.look())
  }

  changed(id: string): void {
    this.#claims.delete(id)
    this.#pending.set(id, Symbol(id))
    void this.#tell()
  }

  /** The first call after a suspension's time asks for the probe and goes by; the next one sends it if this replica was the first. */
  mayProbe(id: string): boolean {
    if (!this.#link.state().shared) return true
    const claim = this.#claims.get(id)
    if (claim === 'won') {
      this.#claims.delete(id)
      return true
    }
    if (claim === 'asking' || (claim !== undefined && this.#clock.monotonic() < claim)) return false
    void this.#claim(id)
    return false
  }

  renewed(id: string): void {
    void this.#link.run(RENEW, [probeKey(id)], [this.#instance, SUSPENSION_TIMES.probe])
  }

  abandoned(id: string): void {
    void this.#link.run(UNCLAIM, [probeKey(id)], [this.#instance])
  }

  /** Tells what is untold and reads what the others have decided. */
  async look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    try {
      await this.#tell()
      this.#take(await this.#link.run(READ, [SUSPENSIONS_KEY], [`${this.#instance}:${this.#clock.now()}`]))
      await this.#tell()
    } finally {
      this.#looking = false
    }
  }

  close(): void {
    this.#stop()
  }

  /** Writes changes one after another, the latest state of each; what Redis does not take is kept for the next look. */
  #tell(): Promise<void> {
    this.#telling ??= this.#tellAll().finally(() => (this.#telling = null))
    return this.#telling
  }

  async #tellAll(): Promise<void> {
    while (this.#pending.size > 0)
      for (const [id, change] of this.#pending) {
        if ((await this.#write(id)) === null) return
        this.#seen.set(id, '')
        // A change made meanwhile has another mark, and is written in its turn.
        if (this.#pending.get(id) === change) this.#pending.delete(id)
      }
  }

  async #write(id: string): Promise<unknown> {
    const state = this.#suspensions.shared(id)
    const keys = [SUSPENSIONS_KEY, probeKey(id)]
    if (state === null) return await this.#link.run(DROP, keys, [id])
    const { msLeft, rounds, why } = state
    return await this.#link.run(PUT, keys, [id, Math.round(msLeft), rounds, why.slice(0, LONGEST_WHY), this.#instance])
  }

  async #claim(id: string): Promise<void> {
    this.#claims.set(id, 'asking')
    const reply = await this.#link.run(CLAIM, [SUSPENSIONS_KEY, probeKey(id)], [id, this.#instance, SUSPENSION_TIMES.probe])
    // Brought back, or suspended again, while the answer was on its way.
    if (this.#claims.get(id) !== 'asking') return
    // Without an answer this replica is alone, and alone it probes.
    this.#claims.set(id, reply === 1 || reply === null ? 'won' : this.#clock.monotonic() + ASK_AGAIN_MS)
  }

  #take(reply: unknown): void {
    const read = entries(reply)
    if (read === null) return
    const { now, epoch, values } = read
    // Redis came back without its memory: what is missing there was not brought back by anybody.
    const forgot = this.#epoch !== null && this.#epoch !== epoch
    this.#epoch = epoch
    if (forgot) for (const id of this.#suspensions.ids()) if (!this.#pending.has(id)) this.#pending.set(id, Symbol(id))
    for (const id of this.#seen.keys()) if (!forgot && !values.has(id) && !this.#pending.has(id)) this.#adopt(id, null)
    for (const [id, value] of values) {
      const state = parsed(value, now)
      if (state !== null && !this.#pending.has(id) && this.#seen.get(id) !== value) this.#adopt(id, state)
    }
    this.#seen = new Map([...values].filter(([id]) => !this.#pending.has(id)))
  }

  #adopt(id: string, state: SharedSuspension | null): void {
    this.#claims.delete(id)
    this.#suspensions.adopt(id, state)
  }
}

/** A reply of READ; null for anything else. */
function entries(reply: unknown): { now: number; epoch: string; values: Map<string, string> } | null {
  if (!Array.isArray(reply)) return null
  const items: unknown[] = reply
  const [now, ...rest] = items
  if (typeof now !== 'number') return null
  const values = new Map<string, string>()
  for (let index = 0; index + 1 < rest.length; index += 2) values.set(String(rest[index]), String(rest[index + 1]))
  const epoch = values.get('epoch') ?? ''
  values.delete('epoch')
  return { now, epoch, values }
}

/** One entry; null for one of another form, which another version wrote. */
function parsed(value: string, now: number): SharedSuspension | null {
  const [, until, rounds, why] = ENTRY.exec(value) ?? []
  return until === undefined || why === undefined ? null : { why, msLeft: Number(until) - now, rounds: Number(rounds) }
}
