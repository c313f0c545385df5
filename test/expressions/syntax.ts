/** The parts of an expression that matter for texts made to slow it down. A character, a class or an escape is one `one`. */
export type Term =
  | { readonly kind: 'one'; readonly source: string }
  | { readonly kind: 'group'; readonly alternatives: readonly Term[][] }
  /** Takes no characters; a lookaround has alternatives. */
  | { readonly kind: 'edge'; readonly alternatives: readonly Term[][] }
  | { readonly kind: 'many'; readonly term: Term; readonly min: number; readonly max: number }

/** Reads the source of an expression that the engine accepts (ECMA-262 22.2.1). */
export function termsOf(source: string, flags: string): Term[][] {
  const reader = new Reader(source, flags)
  return reader.alternatives()
}

const HEADS = ['(?<=', '(?<!', '(?=', '(?!', '(?:']
const EDGES = ['^', '$', '\\b', '\\B']

class Reader {
  readonly #source: string
  readonly #unicode: boolean
  #at = 0

  constructor(source: string, flags: string) {
    this.#source = source
    this.#unicode = /[uv]/.test(flags)
  }

  alternatives(): Term[][] {
    const all: Term[][] = [[]]
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#take('|')) all.push([])
      else all.at(-1)?.push(this.#quantified(this.#term()))
    }
    return all
  }

  #take(text: string): boolean {
    const is = this.#source.startsWith(text, this.#at)
    if (is) this.#at += text.length
    return is
  }

  /** What a sticky expression finds here, taken. */
  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#source)
    if (match !== null) this.#at += match[0].length
    return match
  }

  #term(): Term {
    if (EDGES.some((edge) => this.#take(edge))) return { kind: 'edge', alternatives: [] }
    if (this.#source[this.#at] === '(') return this.#group()
    const sources = this.#unicode
      ? [/\[(?:\\[^]|[^\]\\])*\]/y, /\\(?:[pPu]\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|k<[^>]*>|[^])/y, /[^]/uy]
      : [/\[(?:\\[^]|[^\]\\])*\]/y, /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|k<[^>]*>|[^])/y, /[^]/y]
    for (const pattern of sources) {
      const [text] = this.#match(pattern) ?? []
      if (text !== undefined) return /^\\(?:[1-9]|k<)/.test(text) ? { kind: 'edge', alternatives: [] } : { kind: 'one', source: text }
    }
    throw new Error(`cannot read ${this.#source} at ${this.#at}`)
  }

  #group(): Term {
    const head = HEADS.find((each) => this.#take(each))
    if (head === undefined && this.#match(/\(\?<[^>]*>/y) === null) this.#take('(')
    const alternatives = this.alternatives()
    this.#take(')')
    return head === undefined || head === '(?:' ? { kind: 'group', alternatives } : { kind: 'edge', alternatives }
  }

  #quantified(term: Term): Term {
    const [text, least, comma, most] = this.#match(/(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y) ?? []
    if (text === undefined) return term
    if (least === undefined) return { kind: 'many', term, min: text.startsWith('+') ? 1 : 0, max: text.startsWith('?') ? 1 : Infinity }
    const min = Number(least)
    return { kind: 'many', term, min, max: comma === undefined ? min : most === undefined || most === '' ? Infinity : Number(most) }
  }
}
