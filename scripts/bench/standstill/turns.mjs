/**
 * Loaded into a gateway before itself: appends a line to the file STANDSTILL_TURNS for each turn of the main thread of more than 5 ms,
 * with its processor time in milliseconds. A timer of 1 ms that fires in each turn reads what the kernel counts for the thread, so
 * a line may be 1 ms too long, and as inexact as the kernel's ticks are.
 */
import { openSync, readSync, writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const REPORTED_MS = 5
const target = process.env.STANDSTILL_TURNS

if (isMainThread && target !== undefined) {
  delete process.env.STANDSTILL_TURNS
  delete process.env.NODE_OPTIONS
  const clock = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const out = openSync(target, 'a')
  const text = Buffer.alloc(64)
  const spentMs = () => Number(text.toString('latin1', 0, readSync(clock, text, 0, 64, 0)).split(' ', 1)[0]) / 1e6
  let before = spentMs()
  setInterval(() => {
    const now = spentMs()
    const turn = now - before
    before = now
    if (turn > REPORTED_MS) writeSync(out, `${turn.toFixed(1)}\n`)
  }, 1).unref()
}
