import { domainToUnicode } from 'node:url'
import type { Services } from '../../../core/sdk/index.js'
import { drawnLike, readAsLetters } from '../checks/scripts.js'
import { isMark } from '../names/marks.js'

const MOST = 10

/** Remarks on deceptive names: the letters of an A-label, and the ASCII name or mark that a name resembles. */
export function lookNotes(names: readonly string[], context: Services): void {
  const remarks = [...new Set(names)].flatMap((name) => {
    const unicode = domainToUnicode(name)
    const like = drawnLike(unicode)
    const read = readAsLetters(name)
    return [
      ...(unicode === name || unicode === '' ? [] : [`${name} is ${unicode}.`]),
      ...(like === null ? [] : [`${name} looks like ${like}, in letters of another alphabet.`]),
      ...(read !== name && isMark(read) && !isMark(name) ? [`${name} looks like the mark ${read}.`] : []),
    ]
  })
  for (const remark of remarks.slice(0, MOST)) context.note(remark)
}
