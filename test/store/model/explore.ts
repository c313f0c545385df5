import { unfinished, violated } from './invariants.js'
import { CHOICES, endable, protocol, resolve, type Step } from './protocol.js'
import { copy, identity, start, type Mutant, type Process, type Scope, type World } from './world.js'

export interface Exploration {
  readonly states: number
  /** Null when every state is as it must be, else what is wrong. */
  readonly violation: string | null
  /** The shortest way there. */
  readonly trace: readonly string[]
  /** False when the limit of states was reached before all were seen. */
  readonly complete: boolean
}

/** 53 bits of a text (the mixing of MurmurHash3), enough to distinguish millions of states. */
function hash(text: string): number {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}

interface Successor {
  readonly label: string
  readonly world: World
}

/** Everything that can happen next. Faults are apart: they may happen, but nobody waits for them. */
function successors(world: World, steps: Record<string, Step>, mutant: Mutant | undefined): { steps: Successor[]; faults: Successor[] } {
  const normal: Successor[] = []
  const faults: Successor[] = []
  const fork = (list: Successor[], label: string, index: number, change: (next: World, self: Process) => void) => {
    const { next, self } = copy(world, index)
    change(next, self)
    list.push({ label, world: next })
  }

  for (const [index, was] of world.procs.entries()) {
    const name = `${was.program} ${index} ${was.pc}`
    if (was.pc === 'done' || was.pc === 'dead') continue
    for (const [label, choose] of Object.entries(CHOICES[was.pc] ?? {}))
      fork(normal, `${name}: ${label}`, index, (next, self) => choose(self, next))
    const step = steps[was.pc]
    if (step !== undefined && (step.enabled?.(world, was) ?? true)) {
      fork(normal, name, index, (next, self) => step.then(self, step.run(next, self), next))
      if (world.lost > 0) {
        fork(faults, `${name}: done, reply lost`, index, (next, self) => {
          next.lost -= 1
          step.run(next, self)
          step.then(self, 'lost', next)
        })
        fork(faults, `${name}: not done, reply lost`, index, (next, self) => {
          next.lost -= 1
          step.then(self, 'lost', next)
        })
      }
    }
    if (world.crashes > 0 && was.program !== 'sweeper') {
      fork(faults, `${name}: crash`, index, (next, self) => {
        next.crashes -= 1
        self.post = null
        self.snap = null
        self.pc = was.program === 'request' ? 'dead' : was.program === 'publisher' ? 'snapshot' : 'grant'
      })
    }
  }
  const sweeper = world.procs.length - 1
  for (const hold of Object.keys(world.holds)) fork(normal, `sweep ${hold}`, sweeper, (next, self) => resolve(next, self, 'release', hold))
  for (const { id } of endable(world, mutant))
    fork(normal, `end ${id}`, sweeper, (next) => {
      next.ended = [...next.ended, id]
    })
  return { steps: normal, faults }
}

/** Visits every reachable state breadth first and checks each; stops at the first violation. */
export function explore(scope: Scope, limit = Infinity): Exploration {
  const steps = protocol(scope.mutant)
  const first = start(scope)
  const seen = new Set<number>([hash(identity(first))])
  const queue: (World | null)[] = [first]
  const from: number[] = [-1]
  const labels: string[] = ['']

  const trace = (last: number): string[] => {
    const path: string[] = []
    for (let index = last; index > 0; index = from[index] ?? 0) path.unshift(labels[index] ?? '')
    return path
  }

  for (let index = 0; index < queue.length; index++) {
    const world = queue[index]
    if (world === undefined || world === null) continue
    queue[index] = null
    const next = successors(world, steps, scope.mutant)
    const wrong = violated(world, scope.money) ?? (next.steps.length === 0 ? unfinished(world) : null)
    if (wrong !== null) return { states: seen.size, violation: wrong, trace: trace(index), complete: false }
    for (const { label, world: successor } of [...next.steps, ...next.faults]) {
      const key = hash(identity(successor))
      if (seen.has(key)) continue
      if (seen.size >= limit) return { states: seen.size, violation: null, trace: [], complete: false }
      seen.add(key)
      queue.push(successor)
      from.push(index)
      labels.push(label)
    }
  }
  return { states: seen.size, violation: null, trace: [], complete: true }
}
