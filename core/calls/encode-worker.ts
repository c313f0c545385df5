import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../runtime/threads.js'
import { GrowingBuffer } from '../runtime/growing-buffer.js'

/** Messages of one answer: its beginning with its most characters, its pieces in order, and its end. */
export type ToEncode =
  | { readonly kind: 'begin'; readonly most: number }
  /** A part of a string, without its quotes. */
  | { readonly kind: 'string'; readonly text: string }
  /** A part of the JSON around the strings. */
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'end' }

/** The complete answer after `end`; before that the bytes so far. */
export type Encoded = ArrayBuffer | number

/** Most bytes of one character: an escape of six letters. */
const WIDEST = 6

let bytes = new GrowingBuffer(0)

lowerPriority()

parentPort?.on('message', (message: ToEncode) => {
  const encoded = answer(message)
  parentPort?.postMessage(encoded, typeof encoded === 'number' ? [] : [encoded])
})

function answer(message: ToEncode): Encoded {
  switch (message.kind) {
    case 'begin':
      bytes.free()
      bytes = new GrowingBuffer(message.most * WIDEST)
      return 0
    case 'string':
      bytes.appendText(JSON.stringify(message.text).slice(1, -1))
      return bytes.filled().length
    case 'json':
      bytes.appendText(message.text)
      return bytes.filled().length
    case 'end':
      return bytes.taken()
  }
}
