import { expect } from 'chai'
import type { Context } from 'mocha'
import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { notMeasured } from './needs.js'

const TICK_MS = 5
/** A timer of a quiet machine is late by this much. */
const USUAL_MS = 3
const GIVE_UP_MS = 10_000
/** Checks in this many turns of the event loop before pauses between checks begin. */
const TURNS = 100
const PAUSE_MS = 5
const SAMPLES = 20

// Taken here, before a test puts a clock of its own in their place.
const [realTimeout, realImmediate, realNow] = [setTimeout, setImmediate, performance.now.bind(performance)]

/** Resolves when the condition holds, with the milliseconds it took. Gives up after `ms` and says what it waited for. */
export async function until(holds: () => boolean | Promise<boolean>, ms = GIVE_UP_MS, what = String(holds)): Promise<number> {
  const began = realNow()
  for (let turns = 0; !(await holds()); turns++) {
    if (realNow() - began > ms) throw new Error(`not within ${ms} ms: ${what}`)
    await (turns < TURNS ? new Promise<void>((resolve) => void realImmediate(resolve)) : pause(PAUSE_MS))
  }
  return realNow() - began
}

/** Lets real time pass. Only for what real time itself is the subject of, such as a line that flaps; what can be waited for is waited for. */
export async function pause(ms: number): Promise<void> {
  await new Promise<void>((resolve) => void realTimeout(resolve, ms))
}

/** Does something so much later, as a slow server or a caller who hangs up does. */
export function later(ms: number, work: () => void): void {
  realTimeout(work, ms)
}

/** Holds a figure of real time, milliseconds or what came too late, to its limit. One that is above it on a busy machine is named as not measured. */
export async function atMost(
  context: Context,
  figure: { readonly what: string; readonly value: number; readonly limit: number },
  busy: () => Promise<boolean> = isBusy,
): Promise<void> {
  const { what, value, limit } = figure
  if (value > limit && (await busy()))
    notMeasured(context, `${what}: ${value.toFixed(1)}, with more running than the machine has processors`)
  expect(value, what).to.be.at.most(limit)
}

/** Whether more wants to run at this moment than there are processors. */
async function isBusy(): Promise<boolean> {
  if (process.platform !== 'linux') return (loadavg()[0] ?? 0) > availableParallelism()
  let runnable = 0
  for (let sample = 0; sample < SAMPLES; sample++) {
    await pause(PAUSE_MS)
    runnable += Number(/^(?:\S+ ){3}(\d+)\//.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1])
  }
  return runnable / SAMPLES > availableParallelism()
}

/** What came of the work, and how long it took in milliseconds. */
export interface Took<T> {
  readonly result: T
  readonly all: number
  /** Without the time by which timers of this process were late meanwhile, because the machine was at something else. */
  readonly own: number
}

/** Time of work that waits: for an answer, a time limit, a closed socket. It says nothing of work that itself blocks the event loop: see `cpuOf`. */
export async function waited<T>(work: () => Promise<T>): Promise<Took<T>> {
  const began = realNow()
  let [last, late] = [began, 0]
  const check = (): void => {
    const now = realNow()
    late += Math.max(0, now - last - TICK_MS - USUAL_MS)
    last = now
  }
  const timer = setInterval(check, TICK_MS)
  try {
    const result = await work()
    check()
    const all = realNow() - began
    return { result, all, own: all - late }
  } finally {
    clearInterval(timer)
  }
}

/** Milliseconds of processor time that this process, with all its threads, spends on the work: nothing of what others do on the machine. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  return cpuSince(before)
}

/** Runs of which `leastCpuOf` takes the smallest. */
const RUNS = 5

/**
 * Milliseconds of processor time of work that blocks: the least of five runs, or the first below `enough`. Other threads of this process, of the
 * garbage collector and of earlier tests, count in each run.
 */
export function leastCpuOf(enough: number, work: () => unknown): number {
  let least = Infinity
  for (let run = 0; run < RUNS && least >= enough; run++) {
    const before = process.cpuUsage()
    work()
    least = Math.min(least, cpuSince(before))
  }
  return least
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Turns of the event loop until the work is done: none for what waits for nothing outside of this process. */
export async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let [turns, over] = [0, false]
  const done = work().finally(() => (over = true))
  done.catch(() => undefined)
  for (; ; turns++) {
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (over) break
  }
  await done
  return turns
}
