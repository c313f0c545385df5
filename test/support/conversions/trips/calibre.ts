import { READS, WRITES } from '../../../../plugins/convert/engines/calibre/formats.js'
import { printed, says, type Check } from '../checks.js'
import { comics } from '../comics.js'
import { TEXTS, WORDS } from '../texts.js'
import type { Trip } from './types.js'

const engine = 'calibre'
/** The same file goes by several names. */
const SAME: Readonly<Record<string, string>> = { azw: 'mobi', prc: 'mobi' }
const PICTURES_INSIDE = (bytes: Buffer): void => {
  if (bytes.length < 1_000) throw new Error('the pictures are not in the book')
}

/** Each format is made of HTML, or has a sample of its own, and is made into text again. */
export async function books(): Promise<Trip[]> {
  const of = await comics()
  return [...new Set([...READS, ...WRITES])].flatMap((id): Trip[] => {
    const comic = of[id]
    if (comic !== undefined) return [{ engine, data: comic, steps: [{ from: id, to: 'epub', check: PICTURES_INSIDE }] }]
    const text = id === 'html' || id === 'txt' || id === 'pml' ? (TEXTS[id] ?? WORDS) : null
    const back = { to: id === 'txt' ? 'rtf' : 'txt', check: says(id === 'txt' ? 'Words of a sample' : WORDS) }
    if (text !== null) return [{ engine, data: text, steps: [{ from: id, ...back }] }]
    const name = SAME[id] ?? id
    const check: { check?: Check } = id === 'pdf' ? { check: printed(WORDS) } : {}
    return [
      {
        engine,
        data: TEXTS['html'] ?? '',
        steps: [
          { from: 'html', to: name, ...check },
          { from: id, ...back },
        ],
      },
    ]
  })
}
