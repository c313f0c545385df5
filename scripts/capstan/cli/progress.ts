import colors from 'picocolors'
import type { Io } from './io.js'
import { printable } from './printable.js'
import { fieldOf, textOf } from './record.js'
import type { StreamedEvent } from './gateway-client.js'

/** Characters of a step, or of its detail. */
const LONGEST = 100

/** One line on standard error with the progress of a call; nothing if that is not a terminal. */
export class Progress {
  readonly #io: Io
  #shown = false
  #bytes = ''

  constructor(io: Io) {
    this.#io = io
  }

  show(event: StreamedEvent): void {
    if (!this.#io.tty || event.event !== 'progress') return
    const data: unknown = JSON.parse(event.data)
    const done = fieldOf(data, 'done')
    const total = fieldOf(data, 'total')
    const count = typeof done === 'number' && typeof total === 'number' ? ` ${done}/${total}` : ''
    const detail = textOf(data, 'detail')
    this.#line(textOf(data, 'step') ?? '', `${count}${detail === null ? '' : ` ${colors.dim(printable(detail, LONGEST))}`}`)
  }

  /** Shows how much of a file was sent. */
  bytes(step: string, done: number, total: number): void {
    const percent = ` ${Math.floor((100 * done) / total)} % of ${(total / 1e6).toFixed(1)} MB`
    if (this.#io.tty && percent !== this.#bytes) this.#line(step, percent)
    this.#bytes = percent
  }

  #line(step: string, rest: string): void {
    this.#io.err(`\r\u001b[K${colors.cyan(printable(step, LONGEST))}${rest}`)
    this.#shown = true
  }

  clear(): void {
    if (this.#shown) this.#io.err('\r\u001b[K')
    this.#shown = false
  }
}
