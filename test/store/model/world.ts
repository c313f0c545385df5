/** A small world: one account of the MongoDB-shaped store (ledger.md 2.1), its journal, and a few processes that work on it. */

export type Kind = 'charge' | 'release' | 'grant' | 'refund'

export interface Unpublished {
  readonly ref: string
  readonly kind: Kind
  readonly amount: number
  readonly owner: number
}

export interface Published extends Unpublished {
  readonly seq: number
  readonly after: number
}

/** What one update of the account document sees and changes; everything in it is one atomic step. */
export interface World {
  bal: number
  seq: number
  /** Entries posted by reference. */
  pseq: number
  /** Owners whose document says that the answer of their charge was written, and those that a sweeper ended. */
  marked: number[]
  ended: number[]
  /** Hold id to owner; every hold is of 1. */
  holds: Record<string, number>
  out: Unpublished[]
  entries: Published[]
  roll: { applied: number; calls: number }
  idem: { state: 'running' | 'ready'; attempt: number; hold: string } | null
  /** Faults that may still happen. */
  lost: number
  crashes: number
  procs: Process[]
}

/** A process: where it is in its program, and what it remembers. */
export interface Process {
  readonly id: number
  readonly program: 'request' | 'publisher' | 'granter' | 'sweeper'
  pc: string
  hold: string
  attempt: number
  tries: number
  /** What the client of a request got: nothing yet, success, or a failure. */
  saw: 'nothing' | 'ok' | 'failed'
  /** Index of the idempotent requests, which share one key. */
  readonly keyed: boolean
  post: { ref: string; kind: Kind; amount: number; seq: number; then: string } | null
  snap: { list: Published[]; next: number; applied: number } | null
  /** Its part of the identity, once it was requested. */
  text?: string | undefined
}

export type Mutant =
  | 'reuse-hold-id'
  | 'grant-without-compare'
  | 'rollup-without-compare'
  | 'ready-without-fence'
  | 'late-charge-without-compare'
  | 'end-before-published'

/** How much money there is at first, and what may happen. */
export interface Scope {
  readonly money: number
  readonly lost: number
  readonly crashes: number
  readonly requests?: number
  /** Requests that share one Idempotency-Key. */
  readonly keyed?: number
  readonly publishers?: number
  readonly granters?: number
  readonly mutant?: Mutant
}

/** A copy in which one process may be changed in place; lists of the store are replaced, never changed. */
export function copy(world: World, index: number): { next: World; self: Process } {
  const procs = [...world.procs]
  const was = world.procs[index] as Process
  const self = {
    ...was,
    post: was.post === null ? null : { ...was.post },
    snap: was.snap === null ? null : { ...was.snap },
    text: undefined,
  }
  procs[index] = self
  return { next: { ...world, procs }, self }
}

function identityOf({ pc, hold, attempt, tries, saw, post, snap }: Process): string {
  const posting = post === null ? '' : `${post.ref} ${post.seq} ${post.then}`
  const seen = snap === null ? '' : `${snap.next} ${snap.applied} ${snap.list.map((one) => `${one.seq}${one.ref}`).join()}`
  return `${pc} ${hold} ${attempt} ${tries} ${saw} ${posting} ${seen}`
}

/** A short text of everything in which two states can differ; what has no order in the store has none here. */
export function identity(world: World): string {
  const entry = (one: Unpublished) => `${one.ref}${one.kind.charAt(0)}${one.owner}`
  const parts = [
    world.bal,
    world.seq,
    world.pseq,
    world.marked.toSorted().join('.'),
    world.ended.toSorted().join('.'),
    world.lost,
    world.crashes,
    world.roll.applied,
    world.roll.calls,
    world.idem?.state,
    world.idem?.attempt,
    world.idem?.hold,
  ]
  parts.push(Object.keys(world.holds).sort().join(), world.out.map(entry).join())
  parts.push(
    world.entries
      .map((one) => `${one.seq}${entry(one)}${one.after}`)
      .sort()
      .join(),
  )
  for (const self of world.procs) parts.push((self.text ??= identityOf(self)))
  return parts.join('|')
}

export function start(scope: Scope): World {
  const procs: Process[] = []
  const add = (count: number, program: Process['program'], pc: string, keyed = false) => {
    for (let index = 0; index < count; index++) {
      const id = procs.length
      procs.push({ id, program, pc, hold: `h${id}`, attempt: 0, tries: 0, saw: 'nothing', keyed, post: null, snap: null })
    }
  }
  add(scope.requests ?? 0, 'request', 'hold')
  add(scope.keyed ?? 0, 'request', 'claim', true)
  add(scope.granters ?? 0, 'granter', 'grant')
  add(scope.publishers ?? 0, 'publisher', 'snapshot')
  add(1, 'sweeper', 'idle')
  const empty = {
    bal: scope.money,
    seq: 0,
    pseq: 0,
    marked: [],
    ended: [],
    holds: {},
    out: [],
    entries: [],
    roll: { applied: 0, calls: 0 },
    idem: null,
  }
  return { ...empty, lost: scope.lost, crashes: scope.crashes, procs }
}

/** Everything that is in the journal, published or not, each reference as often as it occurs there. */
export function journal(world: World): Unpublished[] {
  const published = new Set(world.entries.map((entry) => entry.ref))
  return [...world.entries, ...world.out.filter((entry) => !published.has(entry.ref))]
}

export function available(world: World): number {
  return world.bal - Object.keys(world.holds).length
}
