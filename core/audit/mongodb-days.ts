import type { AuditedLine, AuditedUsage } from './mongodb-documents.js'
import type { Findings } from './report.js'

const DAY_MS = 86_400_000
/** Nothing younger than a day is ever trimmed; an hour of it is for clocks. */
const DOUBTFUL_MS = 82_800_000

interface Count {
  calls: number
  errors: number
  credits: number
}

/** What the entries of one day make. */
class Day {
  /** Of entries that say what they were for, by endpoint and capability. */
  readonly rows = new Map<string, Count>()
  /** Of charges, releases and refunds that say nothing of their calls. */
  readonly mute: Count = { calls: 0, errors: 0, credits: 0 }
  /** An entry says nothing, so that the rows cannot be compared one by one. */
  isMute = false
  /** Given back by refunds that say nothing and may never have: made after their charge was trimmed, they are in no rollup. */
  doubtful = 0
}

/**
 * Holds the rollup of an account against its entries, day by day (L10). A day must agree row by row when each entry of it says what it
 * was for, as entries do whose details are kept apart, or when nothing of it can have been trimmed. Of an older day with inline facts the
 * calls and credits of the whole day are compared, whatever part of it was trimmed when it was read.
 */
export class DayCounts {
  readonly #account: string
  readonly #usage: ReadonlyMap<number, AuditedUsage>
  readonly #findings: Findings
  readonly #days = new Map<number, Day>()
  /** The last call that says nothing: of when it is, and which. */
  #mute: { readonly at: number; readonly where: string } | null = null

  constructor(account: string, usage: readonly AuditedUsage[], findings: Findings) {
    this.#account = account
    this.#usage = new Map(usage.map((day) => [day.day, day]))
    this.#findings = findings
  }

  /** One entry; `settled` when no publisher will look at it again, so that it must be in the rollup of its day. */
  add(line: AuditedLine, settled: boolean): void {
    const { amt, kind } = line
    const call = callOf(line)
    const number = Math.floor(line.at / DAY_MS)
    const isCall = kind === 'charge' || kind === 'release'
    if (call === null && !isCall) {
      if (kind === 'refund') this.#mutedDay(number).mute.credits -= amt
      return
    }
    if (!this.#isCounted(number, line.seq, settled)) return
    if (call === null) {
      add(this.#mutedDay(number).mute, { calls: 1, errors: 0, credits: 0 - amt })
      this.note(line)
      return
    }
    const day = this.#day(number)
    const name = `${call.endpoint.replaceAll('%', '%25').replaceAll(' ', '%20')} ${call.capability}`
    const row = day.rows.get(name) ?? { calls: 0, errors: 0, credits: 0 }
    day.rows.set(name, row)
    add(row, { calls: isCall ? 1 : 0, errors: isCall && call.failed ? 1 : 0, credits: 0 - amt })
  }

  #day(number: number): Day {
    const day = this.#days.get(number) ?? new Day()
    this.#days.set(number, day)
    return day
  }

  #mutedDay(number: number): Day {
    const day = this.#day(number)
    day.isMute = true
    return day
  }

  #isCounted(day: number, seq: number, settled: boolean): boolean {
    if (seq <= (this.#usage.get(day)?.applied ?? 0)) return true
    if (settled) this.#findings.add(`L10 account ${this.#account}, day ${dayText(day)}: entry ${seq} is published and not in the rollup`)
    return false
  }

  /** Remembers a call that says nothing, to be judged once it is known what may have been trimmed. */
  note({ acct, seq, kind, ref, at }: AuditedLine): void {
    if (at >= (this.#mute?.at ?? -Infinity)) this.#mute = { at, where: `account ${acct}, entry ${seq} (${kind} ${ref})` }
  }

  /** A refund of a charge of that time. */
  refunded(line: AuditedLine, chargedAt: number): void {
    const { at, amt } = line
    if (callOf(line) === null && at - chargedAt >= DOUBTFUL_MS) this.#day(Math.floor(at / DAY_MS)).doubtful += amt
  }

  /** `trimmed`: the time before which entries may have been trimmed, read after the entries. */
  end(trimmed: number): void {
    if (this.#mute !== null && this.#mute.at >= trimmed)
      this.#findings.add(`L10 ${this.#mute.where}: says nothing of its call, and nothing of its time was trimmed`)
    for (const day of new Set([...this.#usage.keys(), ...this.#days.keys()])) {
      if (day * DAY_MS >= trimmed || this.#days.get(day)?.isMute !== true) this.#compareRows(day)
      else this.#compareSums(day)
    }
  }

  #recorded(day: number): Map<string, Count> {
    return new Map(Object.entries(this.#usage.get(day)?.rows ?? {}).map(([name, row]) => [unescaped(name), row]))
  }

  #compareRows(day: number): void {
    const recorded = this.#recorded(day)
    const made = this.#days.get(day)?.rows ?? new Map<string, Count>()
    for (const name of new Set([...recorded.keys(), ...made.keys()])) {
      const [has, wants] = [formatted(recorded.get(name)), formatted(made.get(name))]
      if (has !== wants)
        this.#findings.add(`L10 account ${this.#account}, day ${dayText(day)}, ${name}: the rollup has ${has}, the journal ${wants}`)
    }
  }

  #compareSums(number: number): void {
    const recorded = this.#recorded(number)
    const { rows, mute, doubtful } = this.#days.get(number) ?? new Day()
    for (const [name, row] of rows) {
      const has = recorded.get(name)
      if ((has?.calls ?? 0) < row.calls || (has?.errors ?? 0) < row.errors)
        this.#findings.add(
          `L10 account ${this.#account}, day ${dayText(number)}, ${name}: the rollup has ${formatted(has)}, what is left in the journal ${formatted(row)}`,
        )
    }
    const [has, known] = [sum(recorded.values()), sum(rows.values())]
    const credits = known.credits + mute.credits
    const agree =
      has.calls === known.calls + mute.calls &&
      has.errors >= known.errors &&
      has.errors <= known.errors + mute.calls &&
      has.credits >= credits &&
      has.credits <= credits + doubtful
    if (agree) return
    const refunds = doubtful === 0 ? '' : ` and up to ${doubtful}`
    this.#findings.add(
      `L10 account ${this.#account}, day ${dayText(number)}: the rollup has ${formatted(has)}, the journal ${known.calls + mute.calls} calls, ${known.errors} to ${known.errors + mute.calls} errors, ${credits}${refunds}`,
    )
  }
}

/** What an entry says of its call, inline or beside its details; null when it says nothing. */
function callOf({ facts, call }: AuditedLine): { readonly endpoint: string; readonly capability: string; readonly failed: boolean } | null {
  return facts === null ? (call ?? null) : { ...facts, failed: facts.error !== null }
}

function add(count: Count, more: Count): void {
  count.calls += more.calls
  count.errors += more.errors
  count.credits += more.credits
}

function sum(counts: Iterable<Count>): Count {
  const total = { calls: 0, errors: 0, credits: 0 }
  for (const count of counts) add(total, count)
  return total
}

/** Names with `%2e` for a dot and so on: a dot is a path to MongoDB. */
function unescaped(name: string): string {
  return name.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}

function formatted(count: Count | undefined): string {
  return count === undefined ? 'nothing' : `${count.calls} calls, ${count.errors} errors, ${count.credits}`
}

/** `2026-01-31` of the number of a day. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
