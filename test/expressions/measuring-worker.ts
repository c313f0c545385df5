import { parentPort } from 'node:worker_threads'
import { headsFor, textOf, type Head } from './heads.js'
import { LENGTH, LIMIT_MS, type Measured, type Order, type Timed } from './measuring.js'

/** A head is first tried at this part of its length, where a time that grows with the square is an eighth of its excess. */
const SHORT = LENGTH / 8
/** A short head that takes less than this part of its limit is not tried at its whole length, unless all are. */
const EASY = 0.4
/** A machine that is at something else makes one try late, and hardly so many in a row. */
const TRIES = 5
/** What takes so many times as long is tried no more. */
const CERTAIN = 10

const port = parentPort
if (port === null) throw new Error('this module runs in a worker')
port.on('message', (order: Order) => port.postMessage(measured(order)))

/** The first head that takes longer than it may, else the one that takes longest. */
function measured({ source, flags, all, count }: Order): Measured {
  const heads = new Int32Array(count)
  let worst: Measured = { slow: false, ms: 0, head: '' }
  for (const head of headsFor(source, flags)) {
    Atomics.add(heads, 0, 1)
    const short = timed({ source, flags }, head, SHORT)
    const long = !short.slow && (all || short.ms > short.limit * EASY) ? timed({ source, flags }, head, LENGTH) : null
    const last = long ?? short
    if (last.slow) return last
    if (last.ms > worst.ms) worst = last
  }
  return worst
}

/** How long the expression takes for a head: the fastest of some tries when the first was too long, by the clock or in processor time. */
function timed({ source, flags }: Timed, head: Head, length: number): Measured & { readonly limit: number } {
  const text = textOf(head, length)
  const limit = (LIMIT_MS * length) / LENGTH
  let ms = Infinity
  for (let n = 0; n < TRIES && ms > limit && (n === 0 || ms < CERTAIN * limit); n++) {
    const expression = new RegExp(source, flags)
    const used = process.cpuUsage()
    const began = performance.now()
    if (expression.global) text.replace(expression, '')
    else expression.exec(text)
    const took = performance.now() - began
    const { user, system } = process.cpuUsage(used)
    ms = Math.min(ms, took, (user + system) / 1000)
  }
  return { slow: ms > limit, ms, limit, head: `${words(head)}, ${length} characters` }
}

function words({ start, periods, end }: Head): string {
  return `${JSON.stringify(start)}, then ${periods.map((each) => JSON.stringify(each)).join(' and ')} repeated, then ${JSON.stringify(end)}`
}
