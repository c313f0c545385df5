import { parentPort, type MessagePort } from 'node:worker_threads'
import { lowerPriority } from '../../runtime/threads.js'
import { openReader } from './reader.js'
import { optionsOfThread, type FromWriter, type ToWriter } from './thread-messages.js'

/** After this much reading the reader pauses this long, so that the log can be reset; both in milliseconds. */
const READING_MS = 100
const PAUSE_MS = 10

const options = optionsOfThread()
if (parentPort === null) throw new Error('this module is started as a worker thread by the store')
lowerPriority()
serve(parentPort)

/**
 * Runs batches of reads until it is closed. A log that is read at every moment is never reset: it grows, and beyond its
 * usual length each commit of the writer copies and syncs what it can. A few milliseconds without a reader are several
 * commits, and two are enough.
 */
function serve(port: MessagePort): void {
  const reader = openReader(options)
  const never = new Int32Array(new SharedArrayBuffer(4))
  let readMs = 0
  port.on('message', (message: ToWriter) => {
    if (message === 'close') {
      reader.close()
      port.close()
      return
    }
    if (readMs >= READING_MS) {
      readMs = 0
      Atomics.wait(never, 0, 0, PAUSE_MS)
    }
    const began = performance.now()
    port.postMessage({ kind: 'reads', results: reader.reads(message.reads) } satisfies FromWriter)
    readMs += performance.now() - began
  })
}
