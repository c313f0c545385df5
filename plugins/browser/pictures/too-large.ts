import { Fault } from '../../../core/sdk/index.js'
import { MOST_BYTES } from './limits.js'

/** The Fault for a picture that exceeds the size of an answer. */
export function tooLarge(): Fault {
  const limit = `${MOST_BYTES / 1024 / 1024} MiB`
  return new Fault('invalid', `the picture is larger than ${limit}: ask for format jpeg or webp, a smaller width, or without full_page`, {
    loc: ['format'],
  })
}
