import type { Log } from '../runtime/log-events.js'
import type { FirstStart } from './first-start.js'
import { untilReached } from './store-wait.js'

/**
 * Writes a text to standard output and records that the first key and the admin token in it were shown. If the write
 * fails, the next start creates new ones.
 */
export async function printWith(first: FirstStart, text: string, log: Log): Promise<void> {
  const isPrinted = await new Promise<boolean>((resolve) => void process.stdout.write(text, (error) => resolve(!(error instanceof Error))))
  if (first.firstRun === null && first.adminToken === null) return
  if (isPrinted) await untilReached(() => first.shown(), log)
  else log('first-key-not-printed', 'the first key and the admin token could not be printed; the next start creates new ones')
}
