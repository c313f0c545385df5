const PIECE = /[\p{L}\p{N}.']+|[,;&+!?]/gu
const EDGES = new Set(['.', "'"])
/** Words and punctuation between simultaneous things. */
const BESIDE = new Set([
  ',',
  ';',
  '&',
  '+',
  '!',
  '?',
  '.',
  'and',
  'with',
  'over',
  'while',
  'plus',
  'as',
  'during',
  'amid',
  'beside',
  'featuring',
  'accompanied',
])
/** Musical terms that contain a conjunction. */
const PAIRS = new Set(['drum bass', 'drums bass', 'rock roll', 'rhythm blues', 'r b'])
const AFTER = new Set(['then', 'followed', 'finally', 'afterwards'])
const WITHOUT = new Set(['without', 'no', 'not', 'except'])

/** A segment of a prompt. */
export interface Stretch {
  readonly words: readonly string[]
  /** Its step in time: 0 at the start, one more after each "then". */
  readonly step: number
}

/** The words of a text in lower case, in order, without punctuation. */
export function wordsOf(text: string): string[] {
  return piecesOf(text).filter((piece) => /[\p{L}\p{N}]/u.test(piece))
}

/** Splits a prompt into segments of one thing each, by punctuation and conjunctions. Negated things are left out. */
export function stretchesOf(prompt: string): Stretch[] {
  const found: { words: string[]; step: number }[] = [{ words: [], step: 0 }]
  let [step, left] = [0, false]
  const pieces = piecesOf(prompt)
  for (const [at, piece] of pieces.entries()) {
    if ((piece === 'and' || piece === '&') && PAIRS.has(`${pieces[at - 1] ?? ''} ${pieces[at + 1] ?? ''}`)) found.at(-1)?.words.push('and')
    else if (BESIDE.has(piece) || AFTER.has(piece) || WITHOUT.has(piece)) {
      if (AFTER.has(piece)) step++
      left = WITHOUT.has(piece)
      found.push({ words: [], step })
    } else if (!left) found.at(-1)?.words.push(piece)
  }
  return found.filter(({ words }) => words.length > 0)
}

function piecesOf(text: string): string[] {
  return (text.toLowerCase().match(PIECE) ?? []).flatMap((piece) => {
    let [from, to] = [0, piece.length]
    while (from < to && EDGES.has(piece.charAt(from))) from++
    while (to > from && EDGES.has(piece.charAt(to - 1))) to--
    const word = piece.slice(from, to)
    // A full stop ends a segment; a decimal point does not.
    return piece.endsWith('.') ? (word === '' ? ['.'] : [word, '.']) : word === '' ? [] : [word]
  })
}
