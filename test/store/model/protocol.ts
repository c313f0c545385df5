import { available, type Mutant, type Process, type Published, type World } from './world.js'

/** One round trip of a process to the store. `run` is the atomic step on the store, `then` is what the process makes of the reply. */
export interface Step {
  readonly enabled?: (world: World, self: Process) => boolean
  readonly run: (world: World, self: Process) => string
  readonly then: (self: Process, reply: string, world: World) => void
}

/** A choice of the world outside, by its label; no round trip. */
export type Choices = Record<string, (self: Process, world: World) => void>

const resolution = (list: readonly { ref: string; kind: string }[], hold: string) => list.find((entry) => entry.ref === hold)?.kind

function push(world: World, self: Process, entry: { ref: string; kind: Published['kind']; amount: number; owner?: number }): void {
  world.bal += entry.amount
  world.seq += 1
  world.out = [...world.out, { ref: entry.ref, kind: entry.kind, amount: entry.amount, owner: entry.owner ?? self.id }]
}

/** The conditional update of charge and release: the hold must still be in the map. */
export function resolve(world: World, self: Process, kind: 'charge' | 'release', hold: string): string {
  const owner = world.holds[hold]
  if (owner === undefined) return 'none'
  world.holds = Object.fromEntries(Object.entries(world.holds).filter(([id]) => id !== hold))
  push(world, self, { ref: hold, kind, amount: kind === 'charge' ? -1 : 0, owner })
  return 'ok'
}

const go = (pc: string) => (self: Process) => {
  self.pc = pc
}

function fail(self: Process): void {
  if (self.saw === 'nothing') self.saw = 'failed'
  self.pc = 'done'
}

function posting(self: Process, ref: string, kind: Published['kind'], amount: number): void {
  self.post = { ref, kind, amount, seq: 0, then: self.pc }
  self.pc = 'post-account'
}

/** The publisher's entries: position gives the number, walking back from the balance gives the balance after. */
function numbered(world: World): Published[] {
  let after = world.bal
  return world.out
    .map((entry, index) => ({ entry, seq: world.seq - (world.out.length - 1 - index) }))
    .toReversed()
    .map(({ entry, seq }) => {
      const published = { ...entry, seq, after }
      after -= entry.amount
      return published
    })
    .toReversed()
}

/** Charges the sweeper gives back: their owner is dead and not ended, and its document does not call them settled. Those with a key await no delivery. */
export function lostCharge(world: World): string | null {
  const found = world.entries.find((entry) => {
    const owner = world.procs[entry.owner]
    if (entry.kind !== 'charge' || owner?.pc !== 'dead' || owner.keyed) return false
    if (world.marked.includes(entry.owner) || world.ended.includes(entry.owner)) return false
    return !world.entries.some((other) => other.ref === `rf:${entry.ref}`)
  })
  return found?.ref ?? null
}

/** Dead owners that a sweeper ends now: nothing they entered is unpublished, and no charge of theirs is left to be given back. */
export function endable(world: World, mutant: Mutant | undefined): Process[] {
  const isLeft = (owner: number): boolean =>
    Object.values(world.holds).includes(owner) || world.out.some((entry) => entry.owner === owner && mutant !== 'end-before-published')
  return world.procs.filter(({ id, pc }) => pc === 'dead' && !world.ended.includes(id) && !isLeft(id) && lostCharge(world) === null)
}

/** The steps of ledger.md 2.3 to 2.8, each with at most one update; a mutant leaves out the one thing that it names. */
export function protocol(mutant: Mutant | undefined): Record<string, Step> {
  const is = (name: Mutant) => mutant === name
  return {
    claim: {
      run: (world, self) => {
        if (world.idem === null) {
          world.idem = { state: 'running', attempt: 1, hold: self.hold }
          return 'claimed'
        }
        return world.idem.hold === self.hold ? 'claimed' : `${world.idem.state} ${world.idem.attempt} ${world.idem.hold}`
      },
      then: (self, reply) => {
        const [state, attempt = '1', hold = ''] = reply.split(' ')
        self.attempt = Number(attempt)
        if (state === 'claimed') self.pc = 'hold'
        else if (state === 'running') self.pc = 'busy'
        else if (state === 'ready') [self.pc, self.hold] = ['charge', hold]
      },
    },
    takeover: {
      run: (world, self) => {
        const idem = world.idem
        if (idem?.state !== 'running' || idem.attempt !== self.attempt) return 'none'
        resolve(world, self, 'release', idem.hold)
        world.idem = { state: 'running', attempt: self.attempt + 1, hold: self.hold }
        return 'ok'
      },
      then: (self, reply) => {
        if (reply !== 'ok') return fail(self)
        self.attempt += 1
        self.pc = 'hold'
      },
    },
    hold: {
      run: (world, self) => {
        if (available(world) < 1 || world.holds[self.hold] !== undefined) return 'none'
        world.holds = { ...world.holds, [self.hold]: self.id }
        return 'ok'
      },
      then: (self, reply) => {
        if (reply === 'ok') self.pc = 'work'
        else if (reply === 'lost' && self.tries === 0 && !self.keyed) self.pc = 'undo'
        else self.pc = self.keyed ? 'free' : (fail(self), 'done')
      },
    },
    undo: {
      run: (world, self) => resolve(world, self, 'release', self.hold),
      then: (self) => {
        self.tries = 1
        if (!is('reuse-hold-id')) self.hold = `${self.hold}'`
        self.pc = 'hold'
      },
    },
    release: {
      run: (world, self) => resolve(world, self, 'release', self.hold),
      then: (self) => (self.keyed ? go('free')(self) : fail(self)),
    },
    free: {
      run: (world, self) => {
        if (world.idem?.state === 'running' && world.idem.attempt === self.attempt && world.idem.hold === self.hold) world.idem = null
        return 'ok'
      },
      then: fail,
    },
    ready: {
      run: (world, self) => {
        const mine = world.idem !== null && world.idem.attempt === self.attempt && world.idem.hold === self.hold
        if (world.idem === null || !(mine || is('ready-without-fence'))) return 'none'
        world.idem = { ...world.idem, state: 'ready' }
        return 'ok'
      },
      then: (self, reply) => {
        if (reply === 'ok') self.pc = 'charge'
        else if (reply === 'none') self.pc = 'release-own'
      },
    },
    'release-own': { run: (world, self) => resolve(world, self, 'release', self.hold), then: fail },
    charge: {
      run: (world, self) => resolve(world, self, 'charge', self.hold),
      then: (self, reply) => {
        if (reply === 'ok') self.pc = 'answer'
        else if (reply === 'none') self.pc = 'look-account'
      },
    },
    'look-account': {
      run: (world, self) => resolution(world.out, self.hold) ?? 'none',
      then: (self, reply) => found(self, reply, 'look-entries'),
    },
    'look-entries': {
      run: (world, self) => resolution(world.entries, self.hold) ?? 'none',
      then: (self, reply) => found(self, reply, 'none'),
    },
    mark: {
      run: (world, self) => {
        if (!world.marked.includes(self.id)) world.marked = [...world.marked, self.id]
        return 'ok'
      },
      then: (self, reply) => {
        if (reply === 'ok') self.pc = 'done'
      },
    },
    grant: {
      run: () => 'ok',
      then: (self) => {
        self.pc = 'done'
        posting(self, 'grant', 'grant', 1)
      },
    },
    'post-account': {
      run: (world, self) => (world.out.some((entry) => entry.ref === self.post?.ref) ? 'there' : `pseq ${world.pseq}`),
      then: (self, reply) => {
        if (self.post === null || reply === 'lost') return
        if (reply === 'there') return posted(self, 'ok')
        self.post.seq = Number(reply.slice('pseq '.length))
        self.pc = 'post-entries'
      },
    },
    'post-entries': {
      run: (world, self) => (world.entries.some((entry) => entry.ref === self.post?.ref) ? 'there' : 'none'),
      then: (self, reply) => {
        if (reply === 'there') posted(self, 'ok')
        else if (reply === 'none') self.pc = 'post-update'
      },
    },
    'post-update': {
      run: (world, self) => {
        const post = self.post
        if (post === null) return 'none'
        const blind = (is('grant-without-compare') && post.kind === 'grant') || (is('late-charge-without-compare') && post.ref === 'late')
        const there = world.out.some((entry) => entry.ref === post.ref)
        if ((world.pseq !== post.seq || there) && !blind) return 'moved'
        if (post.amount < 0 && available(world) < -post.amount) return 'insufficient'
        push(world, self, post)
        world.pseq += 1
        return 'ok'
      },
      then: (self, reply) => {
        if (reply === 'ok' || reply === 'insufficient') posted(self, reply)
        else self.pc = 'post-account'
      },
    },
    snapshot: {
      enabled: (world) => world.out.length > 0,
      run: () => 'ok',
      then: (self, reply, world) => {
        if (reply === 'lost') return
        self.snap = { list: numbered(world), next: 0, applied: 0 }
        self.pc = 'insert'
      },
    },
    insert: {
      run: (world, self) => {
        const entry = self.snap?.list[self.snap.next]
        if (entry === undefined) return 'none'
        const taken = world.entries.some((other) => other.ref === entry.ref || other.seq === entry.seq)
        if (!taken) world.entries = [...world.entries, entry]
        return 'ok'
      },
      then: (self, reply) => {
        if (self.snap === null || reply === 'lost') return
        self.snap.next += 1
        if (self.snap.next === self.snap.list.length) self.pc = 'roll-read'
      },
    },
    'roll-read': {
      run: (world) => `${world.roll.applied}`,
      then: (self, reply) => {
        if (self.snap === null || reply === 'lost') return
        self.snap.applied = Number(reply)
        self.pc = 'roll-write'
      },
    },
    'roll-write': {
      run: (world, self) => {
        const snap = self.snap
        if (snap === null || (world.roll.applied !== snap.applied && !is('rollup-without-compare'))) return 'moved'
        const news = snap.list.filter((entry) => entry.seq > snap.applied)
        const calls = news.filter((entry) => entry.kind === 'charge' || entry.kind === 'release').length
        world.roll = { applied: Math.max(world.roll.applied, ...news.map((entry) => entry.seq)), calls: world.roll.calls + calls }
        return 'ok'
      },
      then: (self, reply) => {
        self.pc = reply === 'ok' ? 'pull' : 'roll-read'
      },
    },
    pull: {
      run: (world, self) => {
        const refs = new Set(self.snap?.list.map((entry) => entry.ref))
        world.out = world.out.filter((entry) => !refs.has(entry.ref))
        return 'ok'
      },
      then: (self, reply) => {
        if (reply === 'lost') return
        self.snap = null
        self.pc = 'snapshot'
      },
    },
    idle: {
      enabled: (world) => lostCharge(world) !== null,
      run: (world) => lostCharge(world) ?? '',
      then: (self, reply) => {
        if (reply !== 'lost') posting(self, `rf:${reply}`, 'refund', 1)
      },
    },
  }
}

/** What a request makes of the resolution it found after its charge matched nothing. */
function found(self: Process, kind: string, otherwise: string): void {
  if (kind === 'lost') return
  if (kind === 'charge') self.pc = 'answer'
  else if (kind === 'release' && self.keyed) {
    self.pc = 'answer'
    posting(self, 'late', 'charge', -1)
  } else if (kind === 'none' && otherwise !== 'none') self.pc = otherwise
  else fail(self)
}

function posted(self: Process, reply: string): void {
  const next = self.post?.then ?? 'done'
  self.post = null
  self.pc = next
  if (reply === 'insufficient') fail(self)
}

/** Where the outside decides: the provider's success, the lock of the other attempt, the client's patience. */
export const CHOICES: Record<string, Choices> = {
  work: { 'provider answers': (self) => go(self.keyed ? 'ready' : 'charge')(self), 'provider fails': go('release') },
  busy: { 'lock holds': fail, 'lock passed': go('takeover') },
  answer: {
    'client reads': (self) => {
      self.saw = 'ok'
      self.pc = 'mark'
    },
    'client gone': (self) => {
      self.saw = 'failed'
      self.pc = 'done'
      if (!self.keyed) posting(self, `rf:${self.hold}`, 'refund', 1)
    },
  },
}
