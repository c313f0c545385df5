import { termsOf, type Term } from './syntax.js'

/** The beginning of a text made to slow an expression down: `start`, then as much of the period as there is room for, then `end`. */
export interface Head {
  readonly start: string
  readonly periods: readonly string[]
  readonly end: string
}

/** Characters tried alone: ASCII, a space of no break, a line separator, letters that take two bytes, one outside of the basic plane. */
const ALONE = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), '\u00a0', '\u2028', '\u00e9', '\u4e2d', '\u{1f600}']
const CANDIDATES = ['a', '0', ' ', '-', '\n', '\t', '.', 'A', ...ALONE]
/** Members of a class that are tried, and characters of an expression that are tried in pairs. */
const SAMPLES = 4
const ALPHABET = 20
/** A bound that is worth filling. */
const LARGE = 10
const TAILS = ['', '\u0001', '\n', '!']

/** The heads for an expression, the same each time. */
export function headsFor(source: string, flags: string): Head[] {
  const maker = new Maker(source, flags)
  return maker.heads()
}

/** The head with so many characters, or a few less. */
export function textOf({ start, periods, end }: Head, length: number): string {
  const room = Math.max(0, length - start.length - end.length)
  const each = room / Math.max(1, periods.length)
  return start + periods.map((period) => period.repeat(Math.max(1, Math.floor(each / period.length)))).join('') + end
}

class Maker {
  readonly #flags: string
  readonly #terms: Term[][]
  readonly #samples = new Map<string, readonly string[]>()
  readonly #heads = new Map<string, Head>()

  constructor(source: string, flags: string) {
    this.#flags = flags.replace(/[gy]/g, '')
    this.#terms = termsOf(source, flags)
  }

  heads(): Head[] {
    for (const each of ALONE) this.#add('', [each])
    const alphabet = this.#alphabet(this.#terms)
    for (const a of alphabet)
      for (const b of alphabet)
        if (a !== b) {
          this.#add('', [a + b])
          this.#add('', [a, b])
        }
    for (const terms of this.#terms) this.#walk(terms, '')
    return [...this.#heads.values()]
  }

  #add(start: string, periods: readonly string[], end = ''): void {
    if (periods.some((period) => period === '')) return
    const head = { start, periods, end }
    this.#heads.set(JSON.stringify(head), head)
  }

  /** For each place of a sequence: what leads there again and again, and with a repeated part as often as there is room for. */
  #walk(terms: readonly Term[], before: string): void {
    let start = before
    for (const term of terms) {
      if (term.kind === 'many') this.#fill(term, start)
      this.#inside(term, start)
      start += this.#text(term, 0, 1)
      this.#add('', [start])
    }
    this.#add('', [start.slice(0, -1)])
  }

  #inside(term: Term, start: string): void {
    if (term.kind === 'many') this.#inside(term.term, start)
    else if (term.kind !== 'one') for (const terms of term.alternatives) this.#walk(terms, start)
  }

  #fill({ term, max }: Term & { kind: 'many' }, start: string): void {
    if (max < LARGE) return
    const pumps = [...new Set(Array.from({ length: SAMPLES }, (_, n) => [this.#text(term, n, 1), this.#text(term, n, 3)]).flat())]
    for (const pump of pumps) {
      for (const tail of TAILS) this.#add(start, [pump], tail)
      this.#add('', [start + pump])
      this.#add('', [start + pump.repeat(20)])
      for (const other of pumps) if (other !== pump) this.#add(start, [pump, other], '\u0001')
    }
  }

  /** A text that the term matches, as short as it can be for `repeats` 1; another for each variant. */
  #text(term: Term, variant: number, repeats: number): string {
    switch (term.kind) {
      case 'one': {
        const samples = this.#samplesOf(term.source)
        return samples[variant % Math.max(1, samples.length)] ?? ''
      }
      case 'many':
        return this.#text(term.term, variant, repeats).repeat(Math.min(term.max, Math.max(term.min, repeats === 1 ? 0 : repeats)))
      case 'group':
        return (term.alternatives[variant % term.alternatives.length] ?? []).map((each) => this.#text(each, variant, repeats)).join('')
      case 'edge':
        return ''
    }
  }

  /** Characters that an atom matches: of as many kinds as there are. */
  #samplesOf(source: string): readonly string[] {
    const known = this.#samples.get(source)
    if (known !== undefined) return known
    const one = new RegExp(`^(?:${source})$`, this.#flags)
    const own = [...source.replace(/[\\[\]^-]/g, '')]
    const samples = [...new Set([...CANDIDATES, ...own])].filter((each) => one.test(each)).slice(0, SAMPLES)
    this.#samples.set(source, samples)
    return samples
  }

  /** Characters that the expression distinguishes, and one that it does not name. */
  #alphabet(alternatives: readonly (readonly Term[])[]): string[] {
    const named = new Set<string>()
    const collect = (term: Term): void => {
      if (term.kind === 'one') for (const each of this.#samplesOf(term.source)) named.add(each)
      else if (term.kind === 'many') collect(term.term)
      else term.alternatives.flat().forEach(collect)
    }
    alternatives.flat().forEach(collect)
    return [...[...named].slice(0, ALPHABET - 1), '\u0001']
  }
}
