import { Fault, handle } from '../../../../../core/sdk/index.js'
import { elicitation, audio, failing, image, logging, mixed, progress, resource, simpleText } from './contract.js'

/** A picture of one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
/** A sound without samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='
const FILE = Buffer.from('a file of no known type').toString('base64')

export const saysText = handle(simpleText, () => Promise.resolve({ text: 'A simple text.' }))
export const givesImage = handle(image, () => Promise.resolve({ image_base64: PNG }))
export const givesAudio = handle(audio, () => Promise.resolve({ audio_base64: WAV }))
export const givesResource = handle(resource, () => Promise.resolve({ content_base64: FILE }))
export const givesAll = handle(mixed, () => Promise.resolve({ text: 'Some of each.', image_base64: PNG, content_base64: FILE }))
export const fails = handle(failing, () => Promise.reject(new Fault('missing', 'This tool always fails.')))
export const reports = handle(progress, (_input, context) => {
  for (const done of [0, 50, 100]) context.progress('working', undefined, done, 100)
  return Promise.resolve({ text: 'Three steps.' })
})
export const logs = handle(logging, () => Promise.resolve({ text: 'Nothing was logged.' }))
export const asks = handle(elicitation, () => Promise.resolve({ text: 'Nothing was requested.' }))
