import picocolors from 'picocolors'
import type { Io } from './io.js'
import { cutTo } from './display-width.js'
import { printable } from './printable.js'
import { fieldOf, textOf } from './record.js'
import type { StreamedEvent } from './gateway-client.js'

/** Characters of a step, or of its detail. */
const LONGEST = 100
/** Up to this total a count is shown as such, above as a percentage. */
const COUNTED = 100
const SECOND_MS = 1_000
const MEGABYTE = 1e6

/**
 * One line on standard error with the progress of a call: the step, how far it is, and from the first second on how long the call has taken;
 * nothing if that is not a terminal.
 */
export class Progress {
  readonly #io: Io
  readonly #colors: ReturnType<typeof picocolors.createColors>
  #startedAt = 0
  #step = ''
  #rest = ''
  #isShown = false
  #timer: NodeJS.Timeout | null = null

  constructor(io: Io) {
    this.#io = io
    this.#colors = picocolors.createColors(io.tty && (io.env['NO_COLOR'] ?? '') === '' && io.env['TERM'] !== 'dumb')
  }

  /** Begins a step without figures; its time is counted until `clear`. */
  begin(step: string): void {
    if (!this.#io.tty) return
    this.clear()
    this.#startedAt = performance.now()
    this.#step = step
    this.#rest = ''
    this.#timer = setInterval(() => this.#draw(), SECOND_MS).unref()
  }

  show(event: StreamedEvent): void {
    if (!this.#io.tty || event.event !== 'progress') return
    const data: unknown = JSON.parse(event.data)
    const step = textOf(data, 'step') ?? ''
    const detail = textOf(data, 'detail') ?? ''
    // The place in a queue and percentages in words say it better than the count.
    const count = step === 'queued' || detail.includes('%') ? '' : countOf(fieldOf(data, 'done'), fieldOf(data, 'total'))
    this.#line(step, `${count}${detail === '' ? '' : ` ${printable(detail, LONGEST)}`}`)
  }

  /** Shows how much of a file was sent, and how fast. */
  bytes(step: string, done: number, total: number): void {
    if (!this.#io.tty) return
    const seconds = (performance.now() - this.#startedAt) / SECOND_MS
    const speed = seconds < 1 ? '' : `, ${(done / MEGABYTE / seconds).toFixed(1)} MB/s`
    const rest = ` ${Math.floor((100 * done) / total)} % of ${(total / MEGABYTE).toFixed(1)} MB${speed}`
    if (step !== this.#step || rest !== this.#rest) this.#line(step, rest)
  }

  clear(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    if (this.#isShown) this.#io.err('\r\u001b[K')
    this.#isShown = false
  }

  #line(step: string, rest: string): void {
    this.#step = step
    this.#rest = rest
    this.#draw()
  }

  /** A line that is longer than the terminal is wide would not be erased by the next. */
  #draw(): void {
    const step = printable(this.#step, LONGEST)
    const seconds = this.#timer === null ? 0 : Math.floor((performance.now() - this.#startedAt) / SECOND_MS)
    const line = cutTo(`${step}${this.#rest}${seconds === 0 ? '' : ` · ${seconds} s`}`, (this.#io.errColumns ?? USUAL) - 1)
    this.#io.err(`\r\u001b[K${line.startsWith(step) ? this.#colors.cyan(step) + line.slice(step.length) : line}`)
    this.#isShown = true
  }
}

/** Columns of a terminal of unknown width. */
const USUAL = 80

/** How far a step is: ` 3/8`, or ` 41 %` of many; empty where the end is unknown. */
function countOf(done: unknown, total: unknown): string {
  if (typeof done !== 'number' || typeof total !== 'number' || total <= 0) return ''
  return total <= COUNTED && Number.isInteger(done) && Number.isInteger(total)
    ? ` ${done}/${total}`
    : ` ${Math.min(100, Math.floor((100 * done) / total))} %`
}
