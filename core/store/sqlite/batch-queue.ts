import { trusted } from '../../sdk/trusted.js'
import { StoreUnavailable } from '../types.js'
import type { Batch, StoreCall, Failure, Results } from './batch.js'
import { READS, type CommandName, type Commands } from './commands.js'

interface WaitingCall {
  /** Takes the command's result; results arrive in the order of the calls. */
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** Runs one batch; its results arrive through `settle`, in the order of the batches. */
type Send = (batch: Batch) => void

/** Collects the calls of one turn of the event loop and sends them as one batch. */
export class BatchQueue {
  readonly #send: Send
  #reads: StoreCall[] = []
  #writes: StoreCall[] = []
  #scheduled = false
  /** Calls sent and not yet answered. */
  #sent = 0
  #closed: string | null = null
  readonly #waiting = { reads: new Fifo(), writes: new Fifo() }

  constructor(send: Send) {
    this.#send = send
  }

  /** Runs a command; rejects with StoreUnavailable when its outcome is unknown. */
  call<K extends CommandName>(name: K, ...args: Parameters<Commands[K]>): Promise<ReturnType<Commands[K]>> {
    return new Promise<ReturnType<Commands[K]>>((resolve, reject) => {
      if (this.#closed !== null) {
        reject(new StoreUnavailable(this.#closed, { sent: false }))
        return
      }
      const isRead = READS.has(name)
      ;(isRead ? this.#reads : this.#writes).push({ name, args })
      this.#waiting[isRead ? 'reads' : 'writes'].push({ resolve: trusted<(value: unknown) => void>(resolve), reject })
      this.#schedule()
    })
  }

  /** During a batch the next one is collected: waking the other thread costs more than the commands do. */
  #schedule(): void {
    if (this.#scheduled || this.#sent > 0) return
    this.#scheduled = true
    setImmediate(() => this.flush())
  }

  /** True when no call is running or waiting. */
  get idle(): boolean {
    return this.#sent === 0 && this.#reads.length + this.#writes.length === 0
  }

  /** Sends the collected calls. */
  flush(): void {
    this.#scheduled = false
    if (this.#reads.length + this.#writes.length === 0) return
    const batch = { reads: this.#reads, writes: this.#writes }
    this.#reads = []
    this.#writes = []
    this.#sent += batch.reads.length + batch.writes.length
    this.#send(batch)
  }

  /** Settles the oldest waiting calls of a kind. */
  settle(kind: keyof Batch, results: Results): void {
    const failed = new Map(results.failures.map((failure) => [failure.index, failure]))
    results.values.forEach((value, index) => {
      const waiting = this.#waiting[kind].shift()
      const failure = failed.size === 0 ? undefined : failed.get(index)
      if (failure === undefined) waiting?.resolve(value)
      else waiting?.reject(errorOf(failure))
    })
    this.#sent -= results.values.length
    if (this.#sent === 0 && this.#reads.length + this.#writes.length > 0) this.#schedule()
  }

  /**
   * Rejects all waiting calls, which will get no answer. Calls not sent yet, or not received by the thread (`taken`
   * false), were certainly not carried out.
   */
  fail(message: string, taken = true): void {
    const collected = { reads: this.#reads.length, writes: this.#writes.length }
    this.#sent = 0
    this.#reads = []
    this.#writes = []
    for (const kind of ['reads', 'writes'] as const) {
      const queue = this.#waiting[kind]
      for (let waiting = queue.shift(); waiting !== undefined; waiting = queue.shift())
        waiting.reject(new StoreUnavailable(message, { sent: taken && queue.length >= collected[kind] }))
    }
  }

  /** From now on every call is refused with this message. */
  close(message: string): void {
    this.#closed = message
  }
}

function errorOf(failure: Failure): Error {
  if (failure.name === 'StoreUnavailable') return new StoreUnavailable(failure.message, { sent: failure.sent, full: failure.full })
  return failure.name === 'RangeError' ? new RangeError(failure.message) : new Error(failure.message)
}

/** A FIFO queue that does not shift the rest on every take. */
class Fifo {
  #items: (WaitingCall | undefined)[] = []
  #head = 0

  get length(): number {
    return this.#items.length - this.#head
  }

  push(item: WaitingCall): void {
    this.#items.push(item)
  }

  shift(): WaitingCall | undefined {
    const item = this.#items[this.#head]
    if (item === undefined) return undefined
    // Else its values would be kept alive until the queue is empty.
    this.#items[this.#head] = undefined
    this.#head += 1
    if (this.#head === this.#items.length) {
      this.#items = []
      this.#head = 0
    } else if (this.#head >= 1024) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }
}
