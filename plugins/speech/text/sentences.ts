/** A piece of a text that is spoken at once, and whether it ends a paragraph. */
export interface Sentence {
  readonly text: string
  readonly endsParagraph: boolean
}

/**
 * The sentences of a text in order, by the rules of its language (Unicode TR 29). None is longer than `most`
 * characters (UTF-16): a longer one is split after the last comma or similar, else at the last blank, else between
 * characters.
 */
export function sentences(text: string, { language, most }: { readonly language: string; readonly most: number }): Sentence[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' })
  return text.split('\n').flatMap((paragraph) => {
    const pieces = [...segmenter.segment(paragraph)]
      .map(({ segment }) => segment.trim())
      .filter((segment) => segment !== '')
      .flatMap((segment) => bounded(segment, most))
    return pieces.map((piece, at) => ({ text: piece, endsParagraph: at === pieces.length - 1 }))
  })
}

/** The text in as few pieces as possible of at most `most` characters each, split between sentences where possible. */
export function chunks(text: string, options: { readonly language: string; readonly most: number }): Sentence[] {
  const found: Sentence[] = []
  for (const next of sentences(text, options)) {
    const last = found.at(-1)
    const joined = last === undefined ? '' : `${last.text}${last.endsParagraph ? '\n' : ' '}${next.text}`
    if (last === undefined || joined.length > options.most) found.push(next)
    else found[found.length - 1] = { text: joined, endsParagraph: next.endsParagraph }
  }
  return found
}

function bounded(sentence: string, most: number): string[] {
  const found: string[] = []
  let rest = sentence
  while (rest.length > most) {
    const end = cutBefore(rest, most)
    found.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trim()
  }
  return [...found, rest].filter((piece) => piece !== '')
}

/** Position to split a text so that its start has at most `most` characters; never within a surrogate pair, and never at 0. */
function cutBefore(text: string, most: number): number {
  const head = text.slice(0, most)
  const clause = Math.max(...[', ', '; ', ': ', ' – ', '、', '，', '،'].map((mark) => head.lastIndexOf(mark)))
  if (clause > most / 2) return clause + 1
  const blank = head.lastIndexOf(' ')
  if (blank > 0) return blank + 1
  return most > 1 && /[\ud800-\udbff]$/.test(head) ? most - 1 : most
}
