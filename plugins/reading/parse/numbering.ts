import { attributeOf, childOf, childrenOf, type Node } from './xml.js'

/** Number and level of a list in a paragraph or its style; `num` 0 means none. */
export interface Listed {
  readonly num: string
  readonly level: number
}

/** The number in front of a paragraph. */
export interface Label {
  /** As displayed by Word; empty for a level without a number. */
  readonly text: string
  readonly isBullet: boolean
  /** Its number when the label is just `1.`, `2.` and so on; else null. */
  readonly plain: number | null
}

interface Level {
  readonly start: number
  readonly format: string
  /** With `%1` to `%9` for the numbers of the levels. */
  readonly text: string
  readonly isLegal: boolean
  /** Number of top levels whose new paragraphs restart this one; null for all above. */
  readonly restart: number | null
  readonly style: string | null
}

interface List {
  readonly abstract: string
  /** Start numbers of this list for levels that its definition shares with others. */
  readonly starts: ReadonlyMap<number, number>
  readonly levels: ReadonlyMap<number, Level>
}

const LEVELS = 9
const MAX_BASED_ON = 20
const MAX_REPEATS = 10

/** Numbers of automatic lists of a Word document (ECMA-376, part 1, 17.9), counted in the order of its paragraphs. */
export class Numbering {
  readonly #lists = new Map<string, List>()
  readonly #listsByStyle = new Map<string, Listed>()
  readonly #levelsByStyle = new Map<string, Listed>()
  /** Current numbers by definition and level. */
  readonly #counts = new Map<string, (number | undefined)[]>()
  readonly #started = new Set<string>()

  constructor(numbering: Node | undefined, styles: Node | undefined) {
    const abstracts = new Map(
      childrenOf(numbering)
        .filter(({ name }) => name === 'abstractNum')
        .map((node) => [attributeOf(node, 'abstractNumId') ?? '', node] as const),
    )
    const nums = childrenOf(numbering).filter(({ name }) => name === 'num')
    const styleNodes = childrenOf(styles).filter(({ name }) => name === 'style')
    const byId = new Map(styleNodes.map((style) => [attributeOf(style, 'styleId') ?? '', style] as const))
    for (const node of nums) {
      const id = attributeOf(node, 'numId') ?? ''
      const abstract = valueOf(node, 'abstractNumId') ?? ''
      const linked = byId.get(valueOf(abstracts.get(abstract), 'numStyleLink') ?? '')
      const target = linked === undefined ? undefined : valueOf(childOf(childOf(linked, 'pPr'), 'numPr'), 'numId')
      const source = nums.find((other) => attributeOf(other, 'numId') === target)
      const definition = source === undefined ? abstract : (valueOf(source, 'abstractNumId') ?? abstract)
      const list = listOf(node, definition, abstracts.get(definition))
      this.#lists.set(id, list)
      for (const [level, { style }] of list.levels)
        if (style !== null && !this.#levelsByStyle.has(style)) this.#levelsByStyle.set(style, { num: id, level })
    }
    for (const id of byId.keys()) {
      const listed = this.#ofStyle(id, byId)
      if (listed !== null) this.#listsByStyle.set(id, listed)
    }
  }

  /** The list of a paragraph by its own properties, else by its style; null without one. */
  listed(own: Node | undefined, style: string | undefined): Listed | null {
    const ofStyle = style === undefined ? null : (this.#listsByStyle.get(style) ?? null)
    const num = valueOf(own, 'numId') ?? ofStyle?.num
    const level = valueOf(own, 'ilvl')
    if (num === undefined || num === '0' || !this.#lists.has(num)) return null
    return { num, level: level === undefined ? (ofStyle?.level ?? 0) : Number(level) || 0 }
  }

  /** Counts a paragraph and returns its label. */
  next({ num, level: at }: Listed): Label {
    const list = this.#lists.get(num)
    const level = list?.levels.get(at)
    if (list === undefined || level === undefined) return { text: '', isBullet: false, plain: null }
    const counts = this.#counts.get(list.abstract) ?? []
    this.#counts.set(list.abstract, counts)
    const started = `${num} ${at}`
    const start = list.starts.get(at)
    const current = start !== undefined && !this.#started.has(started) ? undefined : counts[at]
    this.#started.add(started)
    const value = current === undefined ? (start ?? level.start) : current + 1
    counts[at] = value
    for (let below = at + 1; below < LEVELS; below += 1) {
      const restart = list.levels.get(below)?.restart ?? null
      if (restart === null || at < restart) counts[below] = undefined
    }
    if (level.format === 'bullet') return { text: '', isBullet: true, plain: null }
    const text = level.text.replace(/%([1-9])/g, (_, digit: string) => {
      const one = Number(digit) - 1
      const of = list.levels.get(one)
      return numberText(counts[one] ?? of?.start ?? 0, level.isLegal ? 'decimal' : (of?.format ?? 'decimal'))
    })
    return { text: text.trim(), isBullet: false, plain: text.trim() === `${value}.` ? value : null }
  }

  /** The list of a style or of the one it is based on. */
  #ofStyle(id: string, byId: ReadonlyMap<string, Node>): Listed | null {
    let style = byId.get(id)
    let level: string | undefined
    for (let steps = 0; style !== undefined && steps < MAX_BASED_ON; steps += 1) {
      const own = childOf(childOf(style, 'pPr'), 'numPr')
      const num = valueOf(own, 'numId')
      level ??= valueOf(own, 'ilvl')
      const styleId = attributeOf(style, 'styleId') ?? ''
      if (num !== undefined) {
        const ofLevel = [...(this.#lists.get(num)?.levels ?? [])].find(([, { style: linked }]) => linked === styleId || linked === id)?.[0]
        return num === '0' ? null : { num, level: ofLevel ?? (Number(level ?? 0) || 0) }
      }
      const linked = this.#levelsByStyle.get(styleId)
      if (linked !== undefined) return linked
      style = byId.get(valueOf(style, 'basedOn') ?? '')
    }
    return null
  }
}

function listOf(node: Node, abstract: string, definition: Node | undefined): List {
  const levels = new Map(levelNodes(definition).map((level) => [levelNumber(level), levelOf(level)] as const))
  const starts = new Map<number, number>()
  for (const override of childrenOf(node).filter(({ name }) => name === 'lvlOverride')) {
    const own = childOf(override, 'lvl')
    const start = valueOf(override, 'startOverride')
    if (own !== undefined) levels.set(levelNumber(override), levelOf(own))
    if (start !== undefined) starts.set(levelNumber(override), Number(start) || 0)
  }
  return { abstract, starts, levels }
}

function levelNodes(definition: Node | undefined): Node[] {
  return childrenOf(definition).filter(({ name }) => name === 'lvl')
}

function levelNumber(node: Node): number {
  return Number(attributeOf(node, 'ilvl') ?? 0) || 0
}

function levelOf(node: Node): Level {
  const restart = valueOf(node, 'lvlRestart')
  const legal = childOf(node, 'isLgl')
  return {
    start: Number(valueOf(node, 'start') ?? 0) || 0,
    format: valueOf(node, 'numFmt') ?? 'decimal',
    text: valueOf(node, 'lvlText') ?? '',
    isLegal: legal !== undefined && !['0', 'false'].includes(attributeOf(legal, 'val') ?? ''),
    restart: restart === undefined ? null : Number(restart) || 0,
    style: valueOf(node, 'pStyle') ?? null,
  }
}

function valueOf(node: Node | undefined, name: string): string | undefined {
  return attributeOf(childOf(node, name), 'val')
}

const ROMAN: readonly (readonly [number, string])[] = [
  ...([[1000, 'm'], [900, 'cm'], [500, 'd'], [400, 'cd'], [100, 'c'], [90, 'xc'], [50, 'l']] as const), // prettier-ignore
  ...([[40, 'xl'], [10, 'x'], [9, 'ix'], [5, 'v'], [4, 'iv'], [1, 'i']] as const), // prettier-ignore
]
const LATIN = 'abcdefghijklmnopqrstuvwxyz'
const RUSSIAN =
  '\u0430\u0431\u0432\u0433\u0434\u0435\u0436\u0437\u0438\u043a\u043b\u043c\u043d\u043e\u043f\u0440\u0441\u0442\u0443\u0444\u0445\u0446\u0447\u0448\u0449\u044b\u044d\u044e\u044f'
/** Letters of the formats of ECMA-376, part 1, 17.18.59; after the last one they are doubled. */
const LETTERS: Readonly<Record<string, string>> = {
  lowerLetter: LATIN,
  upperLetter: LATIN.toUpperCase(),
  russianLower: RUSSIAN,
  russianUpper: RUSSIAN.toUpperCase(),
  aiueo:
    '\uff71\uff72\uff73\uff74\uff75\uff76\uff77\uff78\uff79\uff7a\uff7b\uff7c\uff7d\uff7e\uff7f\uff80\uff81\uff82\uff83\uff84\uff85\uff86\uff87\uff88\uff89\uff8a\uff8b\uff8c\uff8d\uff8e\uff8f\uff90\uff91\uff92\uff93\uff94\uff95\uff96\uff97\uff98\uff99\uff9a\uff9b\uff9c\uff66\uff9d',
  aiueoFullWidth:
    '\u30a2\u30a4\u30a6\u30a8\u30aa\u30ab\u30ad\u30af\u30b1\u30b3\u30b5\u30b7\u30b9\u30bb\u30bd\u30bf\u30c1\u30c4\u30c6\u30c8\u30ca\u30cb\u30cc\u30cd\u30ce\u30cf\u30d2\u30d5\u30d8\u30db\u30de\u30df\u30e0\u30e1\u30e2\u30e4\u30e6\u30e8\u30e9\u30ea\u30eb\u30ec\u30ed\u30ef\u30f2\u30f3',
  ganada: '\uac00\ub098\ub2e4\ub77c\ub9c8\ubc14\uc0ac\uc544\uc790\ucc28\uce74\ud0c0\ud30c\ud558',
  chosung: '\u3131\u3134\u3137\u3139\u3141\u3142\u3145\u3147\u3148\u314a\u314b\u314c\u314d\u314e',
  ideographTraditional: '\u7532\u4e59\u4e19\u4e01\u620a\u5df1\u5e9a\u8f9b\u58ec\u7678',
  ideographZodiac: '\u5b50\u4e11\u5bc5\u536f\u8fb0\u5df3\u5348\u672a\u7533\u9149\u620c\u4ea5',
}
const CHINESE = '\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d'
/** Digits used in place of 0 to 9. */
const DIGITS: Readonly<Record<string, string>> = {
  decimalFullWidth: '\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19',
  decimalFullWidth2: '\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19',
  ideographDigital: CHINESE,
  japaneseDigitalTenThousand: CHINESE,
  taiwaneseDigital: CHINESE,
  hindiNumbers: '\u0966\u0967\u0968\u0969\u096a\u096b\u096c\u096d\u096e\u096f',
  thaiNumbers: '\u0e50\u0e51\u0e52\u0e53\u0e54\u0e55\u0e56\u0e57\u0e58\u0e59',
}
/** Formats with their own tens. */
const COUNTING = new Set([
  'chineseCounting',
  'chineseCountingThousand',
  'japaneseCounting',
  'taiwaneseCounting',
  'taiwaneseCountingThousand',
])

/** A number in a list format. Formats that spell numbers out, and unknown ones, use decimal digits. */
function numberText(value: number, format: string): string {
  const decimal = String(value)
  const letters = [...(LETTERS[format] ?? '')]
  if (letters.length > 0) {
    const letter = value < 1 ? undefined : letters[(value - 1) % letters.length]
    const repeats = Math.ceil(value / letters.length)
    return letter === undefined || repeats > MAX_REPEATS ? decimal : letter.repeat(repeats)
  }
  const digits = [...(DIGITS[format] ?? '')]
  if (digits.length > 0) return [...decimal].map((digit) => digits[Number(digit)] ?? digit).join('')
  if (COUNTING.has(format) && value > 0 && value < 100) {
    const [tens, ones] = [Math.floor(value / 10), value % 10]
    const digit = (of: number): string => [...CHINESE][of] ?? ''
    return `${tens > 1 ? digit(tens) : ''}${tens > 0 ? '\u5341' : ''}${ones > 0 ? digit(ones) : ''}`
  }
  switch (format) {
    case 'none':
      return ''
    case 'decimalZero':
      return decimal.padStart(2, '0')
    case 'lowerRoman':
      return roman(value)
    case 'upperRoman':
      return roman(value).toUpperCase()
    case 'ordinal':
      return `${decimal}${/1\d$/.test(decimal) ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[value % 10] ?? 'th')}`
    case 'numberInDash':
      return `- ${decimal} -`
    case 'decimalEnclosedCircle':
      return value >= 1 && value <= 20 ? String.fromCodePoint(0x245f + value) : decimal
    default:
      return decimal
  }
}

function roman(value: number): string {
  if (value < 1 || value > 3_999) return String(value)
  let [rest, text] = [value, '']
  for (const [worth, letters] of ROMAN)
    while (rest >= worth) {
      rest -= worth
      text += letters
    }
  return text
}
