import { Problem } from '../problems/problem.js'
import type { Clock } from '../runtime/clock.js'

/** A peer that moves fewer bytes a second, averaged over one window, is cut. */
const LEAST_SPEED = 1024
/** Length of the window, in milliseconds. */
const WINDOW_MS = 30_000
/** Where room is needed, peers below this average in bytes a second are cut. */
const SLOW_SPEED = 16 * 1024
/** A peer does not count as slow before this many milliseconds. */
const GRACE_MS = 10_000
const CHECK_MS = 1_000
const RETRY_SECONDS = 2
const ACTION = 'Read the answers to your earlier requests, or send fewer large requests at once, then retry this one.'

/** Why a peer is cut: it is too slow, others need the room, or the gateway stops. */
export type CutReason = 'slow' | 'room' | 'stopping'

/** The sender of a body or reader of an answer. */
export interface Peer {
  cut(reason: CutReason): void
}

interface ByteLimits {
  /** Bytes of one account. */
  readonly account: number
  /** Bytes of one address that sends no key. */
  readonly address: number
  /** Bytes of all together. */
  readonly all: () => number
}

/** An account or address that holds bytes. */
interface Owner {
  readonly id: string
  readonly most: number
  readonly setting: string
  bytes: number
  readonly holdings: Set<Holding>
}

/**
 * Counts the bytes of arriving request bodies and of answers waiting to be read, by account, by address without a key,
 * and for the process. A peer that is too slow is cut, and sooner where its room is needed.
 */
export class ByteBudget {
  readonly #clock: Clock
  readonly #limits: ByteLimits
  readonly #owners = new Map<string, Owner>()
  readonly #waiting = new Set<Holding>()
  readonly #parts: HoldingParts = {
    now: () => this.#clock.monotonic(),
    room: (owner, holding, bytes) => this.#makeRoom(owner, holding, bytes),
    changed: (owner, bytes) => {
      owner.bytes += bytes
      this.#bytes += bytes
    },
    waits: (holding, waits) => this.#watch(holding, waits),
    released: (owner, holding) => {
      owner.holdings.delete(holding)
      if (owner.holdings.size === 0) this.#owners.delete(owner.id)
    },
  }
  #bytes = 0
  #stop: (() => void) | null = null

  constructor(clock: Clock, limits: ByteLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  /** Bytes currently held. */
  get bytes(): number {
    return this.#bytes
  }

  /** A holding without bytes, for one request of an account, or of an address. */
  open(of: { readonly account: string } | { readonly address: string }): Holding {
    const [id, most, setting] =
      'account' in of
        ? [`account ${of.account}`, this.#limits.account, 'limits.account_buffer']
        : [`address ${of.address}`, this.#limits.address, 'limits.address_buffer']
    const owner = this.#owners.get(id) ?? { id, most, setting, bytes: 0, holdings: new Set() }
    this.#owners.set(id, owner)
    const holding = new Holding(this.#parts, owner)
    owner.holdings.add(holding)
    return holding
  }

  /**
   * Throws `overloaded` when the account has no room left, or holds bytes while the gateway's memory is `short`, so
   * that accounts without any can continue. Call it before a request is read.
   */
  admit(account: string, short = false): void {
    const owner = this.#owners.get(`account ${account}`)
    if (owner === undefined) return
    if (short && owner.bytes > 0)
      throw new Problem(
        'overloaded',
        `The gateway is short of memory, and this account holds ${owner.bytes} bytes of it. Nothing was charged.`,
        { retryAfterSeconds: RETRY_SECONDS, action: ACTION },
      )
    if (owner.bytes >= owner.most) this.#makeRoom(owner, null, 1)
  }

  /** Cuts every body that is still arriving; answers continue. */
  cutArriving(): void {
    for (const holding of this.#waiting) if (holding.direction === 'in') holding.cut('stopping')
  }

  #watch(holding: Holding, waits: boolean): void {
    if (waits) this.#waiting.add(holding)
    else this.#waiting.delete(holding)
    if (this.#waiting.size === 0) {
      this.#stop?.()
      this.#stop = null
    } else this.#stop ??= this.#clock.every(CHECK_MS, () => this.#cutIdle())
  }

  #cutIdle(): void {
    for (const holding of this.#waiting) if (!holding.keepsUp()) holding.cut('slow')
  }

  /** Cuts peers until `bytes` more fit, else throws `overloaded`. A lone holding may exceed a limit. */
  #makeRoom(owner: Owner, holding: Holding | null, bytes: number): void {
    const own = holding?.bytes ?? 0
    while (owner.bytes > own && owner.bytes + bytes > owner.most)
      if (!this.#cutSlowest(owner.holdings, holding, true))
        throw full(owner.setting, owner.most, owner.setting === 'limits.account_buffer' ? 'this account' : 'this address')
    const all = this.#limits.all()
    while (this.#bytes > own && this.#bytes + bytes > all) {
      if (this.#cutSlowest(this.#waiting, holding, true)) continue
      const largest = [...this.#owners.values()].reduce((most, each) => (each.bytes > most.bytes ? each : most), owner)
      // The owner of the most bytes is cut in favour of smaller ones.
      if (largest.bytes <= owner.bytes + bytes || !this.#cutSlowest(largest.holdings, holding, false))
        throw full('limits.buffer', all, 'this gateway')
    }
  }

  /** Cuts the slowest of these peers, with `slowOnly` only one that counts as slow; false when there is none. */
  #cutSlowest(holdings: ReadonlySet<Holding>, besides: Holding | null, slowOnly: boolean): boolean {
    let slowest: Holding | null = null
    let least = Infinity
    for (const holding of holdings) {
      if (holding === besides || holding.bytes === 0 || holding.direction === null) continue
      if (slowOnly && !holding.isSlow()) continue
      const speed = holding.speed()
      if (speed < least) [slowest, least] = [holding, speed]
    }
    slowest?.cut('room')
    return slowest !== null
  }
}

/** The budget's interface to its holdings. */
interface HoldingParts {
  readonly now: () => number
  readonly room: (owner: Owner, holding: Holding, bytes: number) => void
  readonly changed: (owner: Owner, bytes: number) => void
  readonly waits: (holding: Holding, waits: boolean) => void
  readonly released: (owner: Owner, holding: Holding) => void
}

/** The bytes that one request holds, and the peer it waits for. */
export class Holding {
  readonly #parts: HoldingParts
  readonly #owner: Owner
  #bytes = 0
  #peer: Peer | null = null
  #direction: 'in' | 'out' | null = null
  #since = 0
  #moved = 0
  #windowAt = 0
  #movedBefore = 0
  #open = true

  constructor(parts: HoldingParts, owner: Owner) {
    this.#parts = parts
    this.#owner = owner
  }

  get bytes(): number {
    return this.#bytes
  }

  /** `in` while a body is awaited, `out` while an answer is being read, else null. */
  get direction(): 'in' | 'out' | null {
    return this.#direction
  }

  /** Throws `overloaded` when `bytes` more would not fit. */
  assertRoom(bytes: number): void {
    if (this.#open) this.#parts.room(this.#owner, this, bytes)
  }

  /** Counts bytes. Throws `overloaded` when they do not fit. */
  add(bytes: number): void {
    if (!this.#open) return
    this.#parts.room(this.#owner, this, bytes)
    this.#change(bytes)
  }

  /** Releases bytes. */
  give(bytes: number): void {
    this.#change(-Math.min(bytes, this.#bytes))
  }

  /** From now on the peer must keep the minimum speed. */
  waitFor(direction: 'in' | 'out', peer: Peer): void {
    if (!this.#open) return
    if (this.#direction !== direction) {
      this.#since = this.#windowAt = this.#parts.now()
      this.#moved = this.#movedBefore = 0
    }
    this.#peer = peer
    this.#direction = direction
    this.#parts.waits(this, true)
  }

  /** Counts bytes that the peer sent or read. */
  moved(bytes: number): void {
    this.#moved += bytes
  }

  /** Stops waiting for the peer. */
  rest(): void {
    if (this.#direction === null) return
    this.#peer = null
    this.#direction = null
    this.#parts.waits(this, false)
  }

  /** Ends the holding. */
  release(): void {
    if (!this.#open) return
    this.rest()
    this.give(this.#bytes)
    this.#open = false
    this.#parts.released(this.#owner, this)
  }

  /** Cuts the peer and releases all bytes. */
  cut(reason: CutReason): void {
    const peer = this.#peer
    this.rest()
    this.give(this.#bytes)
    peer?.cut(reason)
  }

  /** Average bytes a second since waiting began. */
  speed(): number {
    return (this.#moved * 1000) / Math.max(1, this.#parts.now() - this.#since)
  }

  isSlow(): boolean {
    return this.#parts.now() - this.#since >= GRACE_MS && this.speed() < SLOW_SPEED
  }

  /** False when the peer moved too little in a completed window. */
  keepsUp(): boolean {
    const now = this.#parts.now()
    if (now - this.#windowAt < WINDOW_MS) return true
    const enough = this.#moved - this.#movedBefore >= (LEAST_SPEED * (now - this.#windowAt)) / 1000
    this.#windowAt = now
    this.#movedBefore = this.#moved
    return enough
  }

  #change(bytes: number): void {
    this.#bytes += bytes
    this.#parts.changed(this.#owner, bytes)
  }
}

function full(setting: string, most: number, whose: string): Problem {
  return new Problem(
    'overloaded',
    `Incoming request bodies and unread answers use all ${most} bytes of ${whose} (${setting}). Nothing was charged.`,
    { retryAfterSeconds: RETRY_SECONDS, action: ACTION },
  )
}
