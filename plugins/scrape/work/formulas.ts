/** Attribute of an element whose text is a formula with its delimiters. */
export const FORMULA = 'data-formula'

/** TeX of a formula, and whether it is a display formula. */
export interface Formula {
  readonly tex: string
  readonly display: boolean
}

/** Visual output of KaTeX and MathJax 2 and 3; the formula itself is in a `math` element or script inside or next to it. */
const DRAWN = /(?:^|\s)(?:MathJax(?:_(?:Preview|Display|SVG|SVG_Display|CHTML))?|mjx-chtml|MJXc-display)(?:\s|$)/
const KATEX_DRAWN = /(?:^|\s)katex-html(?:\s|$)/
/** Pictures of formulas with TeX in `alt`: MediaWiki, WordPress, Sphinx, CodeCogs. */
const PICTURE = /(?:^|\s)(?:mwe-math-fallback-image-(?:inline|display)|latex|tex|math)(?:\s|$)/
const PICTURE_SOURCE = /^[^?]{0,200}(?:latex\.php|latex\.codecogs\.com|chart\.apis?\.google)/i

/** Whether an element is the visual output of a formula. `known`: the formula itself directly precedes it. */
export function isDrawn(name: string, label: string, known: boolean): boolean {
  return name === 'mjx-container' || DRAWN.test(label) || (known && KATEX_DRAWN.test(label))
}

/** Whether an element hidden from screen readers is KaTeX's visual output: the only text when the formula itself is not in the page. */
export function isKatexDrawing(label: string): boolean {
  return KATEX_DRAWN.test(label)
}

/** The formula of a picture, or null. */
export function pictured(attributes: Readonly<Record<string, string>>): Formula | null {
  const label = (attributes['class'] ?? '').slice(0, 200)
  const tex = trimmed(attributes['alt'] ?? attributes['title'] ?? '')
  if (tex === '' || !(PICTURE.test(label) || PICTURE_SOURCE.test(attributes['src'] ?? ''))) return null
  return { tex, display: label.includes('display') }
}

/** A reader for the element, when it starts a formula: `math`, or a script of MathJax 2. */
export function formulaAt(name: string, attributes: Readonly<Record<string, string>>): FormulaReader | null {
  if (name === 'math') return new FormulaReader(name, attributes)
  const type = name === 'script' ? (attributes['type'] ?? '').trim().toLowerCase() : ''
  return type.startsWith('math/') && !type.startsWith('math/mml') ? new FormulaReader(name, attributes) : null
}

/** The formula in Markdown syntax. */
export function delimited({ tex, display }: Formula): string {
  return display ? `$$${tex}$$` : `$${tex}$`
}

/** TeX on one line, without MediaWiki's outer braces and style. */
function trimmed(tex: string): string {
  const line = tex.replace(/\s+/g, ' ').trim()
  const styled = line.startsWith('{\\displaystyle ') && line.endsWith('}') ? line.slice(15, -1) : line
  return styled.trim()
}

interface Node {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly parts: string[]
}

/** Elements that end a formula with a missing end tag, as in HTML for elements not allowed in MathML. */
const BREAKS = new Set('p,div,h1,h2,h3,h4,h5,h6,ul,ol,li,dl,table,pre,blockquote,hr,img,body,article,section,main'.split(','))
const TEXTS = new Set(['mtext', 'ms', 'annotation-xml', 'mi', 'mn', 'mo'])

/** Reads one formula during the scan: its TeX annotation, else its MathML as TeX. Linear time. */
export class FormulaReader {
  readonly #stack: Node[] = []
  readonly #display: boolean
  /** TeX in the page. */
  #given: string | null = null
  #made = ''

  constructor(name: string, attributes: Readonly<Record<string, string>>) {
    const mode = `${attributes['display'] ?? ''} ${attributes['mode'] ?? ''} ${attributes['type'] ?? ''}`
    this.#display = /\bblock\b|mode\s*=?\s*display|\bdisplay\b/i.test(mode.slice(0, 200))
    if (name !== 'script') this.#given = attributes['data-latex'] ?? null
    this.open(name, attributes)
  }

  /** True for an element that implies the end of the formula. */
  breaks(name: string): boolean {
    return BREAKS.has(name) && !this.#stack.some((node) => TEXTS.has(node.name))
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#stack.push({ name, attributes, parts: [] })
  }

  text(text: string): void {
    this.#stack.at(-1)?.parts.push(text)
  }

  close(): void {
    const node = this.#stack.pop()
    if (node === undefined) return
    const above = this.#stack.at(-1)
    if (node.name === 'annotation') {
      if (/tex/i.test(node.attributes['encoding'] ?? '')) this.#given ??= node.parts.join('')
      return
    }
    const tex = node.name === 'script' ? node.parts.join('') : texOf(node)
    if (above === undefined) this.#made = tex
    else if (tex !== '') above.parts.push(tex)
  }

  /** Null when it is empty. */
  result(): Formula | null {
    while (this.#stack.length > 0) this.close()
    const tex = trimmed(this.#given ?? '') || trimmed(this.#made)
    return tex === '' ? null : { tex, display: this.#display }
  }
}

const FUNCTIONS = new Set(
  'sin,cos,tan,cot,sec,csc,sinh,cosh,tanh,arcsin,arccos,arctan,log,ln,lg,exp,lim,max,min,sup,inf,det,dim,ker,deg,gcd,arg'.split(','),
)
const ESCAPED = /[{}%#&_$]/g
/** Invisible operators of MathML: function application, times, separator, plus. */
const INVISIBLE = /[\u2061-\u2064\u200b]/g
const ACCENTS: Readonly<Record<string, string>> = {
  '^': '\\hat', '\u02c6': '\\hat', '~': '\\tilde', '\u02dc': '\\tilde', '\u00af': '\\bar', '\u203e': '\\overline', '_': '\\underline', '\u2192': '\\vec', '\u02d9': '\\dot', '\u00a8': '\\ddot', '\u23de': '\\overbrace', '\u23df': '\\underbrace',
} // prettier-ignore

/** TeX of one MathML element whose children are already TeX. Elements without special meaning return their content. */
function texOf({ name, attributes, parts }: Node): string {
  if (name === 'mi' || name === 'mo' || name === 'mn') return token(name, parts.join(''))
  if (name === 'mtext' || name === 'ms') {
    const text = parts.join('').replace(/\s+/g, ' ').replace(ESCAPED, '\\$&')
    return text.trim() === '' ? ' ' : `\\text{${text}}`
  }
  if (name === 'annotation-xml') return ''
  // Blanks between elements are not part of a formula.
  const inner = parts.filter((part) => part.trim() !== '' || part === ' ')
  const children = inner.filter((part) => part.trim() !== '')
  const [first = '', second = '', third = ''] = children
  const whole = inner.join('')
  switch (name) {
    case 'mfrac':
      return attributes['linethickness'] === '0' ? `{${first} \\atop ${second}}` : `\\frac{${first}}{${second}}`
    case 'msqrt':
      return `\\sqrt{${whole}}`
    case 'mroot':
      return `\\sqrt[${second}]{${first}}`
    case 'msup':
      return `${base(first)}^${script(second)}`
    case 'msub':
      return `${base(first)}_${script(second)}`
    case 'msubsup':
    case 'munderover':
      return `${base(first)}_${script(second)}^${script(third)}`
    case 'munder':
      return accented(first, second) ?? `${base(first)}_${script(second)}`
    case 'mover':
      return accented(first, second) ?? `${base(first)}^${script(second)}`
    case 'mmultiscripts':
      return `${base(first)}_${script(second)}^${script(third)}${children.slice(3).join('')}`
    case 'mfenced':
      return `${attributes['open'] ?? '('}${children.join(attributes['separators'] ?? ',')}${attributes['close'] ?? ')'}`
    case 'mtable':
      return `\\begin{matrix}${children.join(' \\\\ ')}\\end{matrix}`
    case 'mtr':
    case 'mlabeledtr':
      return children.join(' & ')
    case 'mtd':
    case 'mrow':
    case 'mstyle':
    case 'mpadded':
    case 'merror':
    case 'menclose':
      return name === 'mtd' && whole === '' ? '{}' : whole
    case 'mspace':
      return ' '
    case 'mphantom':
    case 'none':
      return '{}'
    default:
      return whole
  }
}

function token(name: string, raw: string): string {
  const text = raw.replace(INVISIBLE, '').trim()
  if (name === 'mi' && FUNCTIONS.has(text)) return `\\${text} `
  const escaped = text.replaceAll('\\', '\\backslash ').replace(ESCAPED, '\\$&')
  return name === 'mi' && /^\p{L}{2,}$/u.test(text) ? `\\operatorname{${escaped}}` : escaped
}

function accented(first: string, second: string): string | null {
  const accent = ACCENTS[second.replace(/^\\/, '').trim()]
  return accent === undefined ? null : `${accent}{${first}}`
}

/** Base of an index: unchanged when it is one character or a command, else in braces. */
function base(tex: string): string {
  return isSingle(tex) || (/^\\[a-z]+ $/i.test(tex) && tex.length < 20) ? tex.trimEnd() : `{${tex}}`
}

function script(tex: string): string {
  return isSingle(tex) ? tex : `{${tex}}`
}

function isSingle(tex: string): boolean {
  return tex.length === 1 || (tex.length === 2 && (tex.codePointAt(0) ?? 0) > 0xffff)
}
