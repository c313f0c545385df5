interface Waiting {
  readonly bytes: number
  readonly start: () => void
}

/** One place, given to those who wait for it by turns: each account in turn, and its own in the order in which they came. */
export class FairQueue {
  readonly #mostBytes: number
  readonly #waiting = new Map<string, Waiting[]>()
  #bytes = 0
  #taken = false

  /** `mostBytes` bounds what all who wait hold in memory; one account may have half of it. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** Waits for the place; the returned function gives it back. Null when too much waits already. */
  take(account: string, bytes: number): Promise<() => void> | null {
    if (!this.#taken) {
      this.#taken = true
      return Promise.resolve(this.#leave())
    }
    const own = this.#waiting.get(account) ?? []
    const ownBytes = own.reduce((sum, waiting) => sum + waiting.bytes, 0)
    if (this.#bytes + bytes > this.#mostBytes || ownBytes + bytes > this.#mostBytes / 2) return null
    return new Promise((resolve) => {
      own.push({ bytes, start: () => resolve(this.#leave()) })
      this.#waiting.set(account, own)
      this.#bytes += bytes
    })
  }

  #leave(): () => void {
    let left = false
    return () => {
      if (left) return
      left = true
      this.#next()
    }
  }

  #next(): void {
    const [first] = this.#waiting
    if (first === undefined) {
      this.#taken = false
      return
    }
    const [account, waiting] = first
    this.#waiting.delete(account)
    const next = waiting.shift()
    if (waiting.length > 0) this.#waiting.set(account, waiting)
    if (next === undefined) return this.#next()
    this.#bytes -= next.bytes
    next.start()
  }
}
