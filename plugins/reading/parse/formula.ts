import { attributeOf, childOf, childrenOf, contentOf, escaped, type Node } from './xml.js'

/** Accents above a letter, as combining characters. */
const ACCENTS: Readonly<Record<string, string>> = {
  ...{ '^': '\u0302', '\u02c6': '\u0302', '\u0302': '\u0302', '~': '\u0303', '\u02dc': '\u0303', '\u0303': '\u0303' },
  ...{
    '\u00af': '\u0304',
    '\u203e': '\u0304',
    '\u0304': '\u0304',
    '\u0305': '\u0304',
    '.': '\u0307',
    '\u02d9': '\u0307',
    '\u0307': '\u0307',
  },
  ...{ '\u00a8': '\u0308', '\u0308': '\u0308', '\u2192': '\u20d7', '\u20d7': '\u20d7', '\u02c7': '\u030c', '\u030c': '\u030c' },
}
const ROOTS: Readonly<Record<string, string>> = { '': '\u221a', 2: '\u221a', 3: '\u221b', 4: '\u221c' }
/** Invisible operators, such as function application, which are not written. */
const INVISIBLE = /[\u2061-\u2064\u200b]/g

/**
 * A formula of Office Math (ECMA-376, part 1, 22.1) or MathML in one line as typed: `(a+b)/2`, `x^2`, `a_(i+1)`,
 * `\u221a(x+1)`, `[a, b; c, d]`. Unknown elements are written by their parts.
 */
export function formulaText(node: Node): string {
  return rowOf(node).replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()
}

/** A formula as HTML that becomes Markdown without escaping. */
export function formulaHtml(text: string): string {
  return text === '' ? '' : `<span class="formula">${escaped(text)}</span>`
}

/** The TeX annotation of MathML; null without one. */
export function texOf(math: Node): string | null {
  const annotation = childrenOf(childOf(math, 'semantics')).find(
    (child) => child.name === 'annotation' && attributeOf(child, 'encoding') === 'application/x-tex',
  )
  const tex = contentOf(annotation).replace(/\s+/g, ' ').trim()
  return tex === '' ? null : tex
}

function rowOf(node: Node | undefined): string {
  return childrenOf(node).map(partOf).join('')
}

function partOf(node: Node): string {
  return officePart(node) ?? mathmlPart(node) ?? rowOf(node)
}

/** Null for an element that is not in Office Math. */
function officePart(node: Node): string | null {
  const of = (name: string): string => rowOf(childOf(node, name))
  const property = (name: string): string | undefined => attributeOf(childOf(childOf(node, `${node.name}Pr`), name), 'val')
  switch (node.name) {
    case 't':
      return contentOf(node)
    case 'br':
      return ' '
    case 'f':
      return property('type') === 'noBar' ? `(${of('num')}; ${of('den')})` : fraction(of('num'), of('den'))
    case 'sSup':
      return scripts(of('e'), '', of('sup'))
    case 'sSub':
      return scripts(of('e'), of('sub'), '')
    case 'sSubSup':
      return scripts(of('e'), of('sub'), of('sup'))
    case 'sPre':
      return `${scripts('', of('sub'), of('sup'))} ${of('e')}`
    case 'rad':
      return root(of('e'), of('deg'))
    case 'nary':
      return `${scripts(property('chr') ?? '\u222b', of('sub'), of('sup'))} ${of('e')}`
    case 'func':
      return applied(of('fName'), of('e'))
    case 'limLow':
      return scripts(of('e'), of('lim'), '')
    case 'limUpp':
      return scripts(of('e'), '', of('lim'))
    case 'd':
      return `${property('begChr') ?? '('}${named(node, 'e').join(property('sepChr') ?? '|')}${property('endChr') ?? ')'}`
    case 'm':
      return `[${childrenOf(node)
        .filter(({ name }) => name === 'mr')
        .map((row) => named(row, 'e').join(', '))
        .join('; ')}]`
    case 'eqArr':
      return named(node, 'e').join('; ').replaceAll('&', '')
    case 'acc':
      return accented(of('e'), property('chr') ?? '\u0302')
    case 'bar':
      return property('pos') === 'top' ? accented(of('e'), '\u0305') : of('e')
    case 'groupChr':
      return of('e')
    default:
      // Properties of the elements above contain no formula text.
      return /^(?:ctrlPr|argPr|rPr|oMathParaPr|\w+Pr)$/.test(node.name) ? '' : null
  }
}

/** Null for an element without special treatment in MathML (Core and 3). */
function mathmlPart(node: Node): string | null {
  const parts = childrenOf(node)
  const [first = '', second = '', third = ''] = ['msup', 'msub', 'msubsup', 'mfrac', 'mroot', 'mover', 'munder', 'munderover'].includes(
    node.name,
  )
    ? parts.map(partOf)
    : []
  switch (node.name) {
    case 'mi':
    case 'mn':
    case 'ms':
      return contentOf(node).trim()
    case 'mo':
      return contentOf(node)
        .trim()
        .replace(/^[a-z]{2,}$/i, ' $& ')
    case 'mtext':
      return contentOf(node)
    case 'mspace':
      return ' '
    case 'mfrac':
      return fraction(first, second)
    case 'msup':
      return scripts(first, '', second)
    case 'msub':
      return scripts(first, second, '')
    case 'munder':
      return scripts(first, second, '')
    case 'mover':
      return ACCENTS[second.trim()] === undefined ? scripts(first, '', second) : accented(first, second.trim())
    case 'msubsup':
    case 'munderover':
      return scripts(first, second, third)
    case 'msqrt':
      return root(rowOf(node), '')
    case 'mroot':
      return root(first, second)
    case 'mfenced':
      return `${attributeOf(node, 'open') ?? '('}${parts.map(partOf).join(attributeOf(node, 'separators') ?? ', ')}${attributeOf(node, 'close') ?? ')'}`
    case 'mtable':
      return `[${parts.map((row) => childrenOf(row).map(rowOf).join(', ')).join('; ')}]`
    case 'semantics':
      return parts[0] === undefined ? '' : partOf(parts[0])
    case 'annotation':
    case 'annotation-xml':
    case 'mphantom':
      return ''
    default:
      return null
  }
}

function named(node: Node, name: string): string[] {
  return childrenOf(node)
    .filter((child) => child.name === name)
    .map(rowOf)
}

function fraction(over: string, under: string): string {
  return `${group(over)}/${group(under)}`
}

function scripts(base: string, sub: string, sup: string): string {
  const of = (sign: string, script: string): string => (script.trim() === '' ? '' : `${sign}${group(script)}`)
  const isOne = base.length < 2 || /^[\p{L}\p{N}\p{M}.]+$/u.test(base) || isBracketed(base) || /^\[[^[\]]*\]$/.test(base)
  return `${isOne ? base : group(base)}${of('_', sub)}${of('^', sup)}`
}

function root(text: string, degree: string): string {
  const sign = ROOTS[degree.trim()]
  return sign === undefined ? `(${text})^(1/${group(degree)})` : `${sign}${group(text)}`
}

function applied(name: string, argument: string): string {
  return /^[([{|]/.test(argument) ? `${name}${argument}` : `${name} ${argument}`
}

function accented(text: string, sign: string): string {
  return [...text].length === 1 ? `${text}${ACCENTS[sign] ?? sign}`.normalize('NFC') : `${group(text)}${ACCENTS[sign] ?? sign}`
}

/** In brackets when it has more than one part. */
function group(text: string): string {
  const trimmed = text.trim()
  return /^[\p{L}\p{N}\p{M}.,\u221e\u2032]*$/u.test(trimmed) || isBracketed(trimmed) ? trimmed : `(${trimmed})`
}

function isBracketed(text: string): boolean {
  if (!text.startsWith('(') || !text.endsWith(')')) return false
  let depth = 0
  for (let at = 0; at < text.length - 1; at += 1) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')') depth -= 1
    if (depth === 0) return false
  }
  return true
}
