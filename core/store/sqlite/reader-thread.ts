import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../../low-priority.js'
import { openReader } from './reader.js'
import { optionsOfThread, type FromWriter, type ToWriter } from './thread-messages.js'

const options = optionsOfThread()
if (parentPort === null) throw new Error('this module is started as a worker thread by the store')
const port = parentPort
lowerPriority()
const reader = openReader(options)
port.on('message', (message: ToWriter) => {
  if (message === 'close') {
    reader.close()
    port.close()
    return
  }
  port.postMessage({ kind: 'reads', results: reader.reads(message.reads) } satisfies FromWriter)
})
