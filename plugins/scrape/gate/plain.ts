import { isElement, isText, parseBody, type DomElement, type DomNode } from '../work/dom.js'

/** Inline elements, whose borders do not separate words. */
const INLINE = new Set(
  'A,ABBR,ACRONYM,B,BDI,BDO,BIG,CITE,CODE,DEL,DFN,EM,FONT,I,INS,KBD,MARK,Q,S,SAMP,SMALL,SPAN,STRIKE,STRONG,SUB,SUP,TT,U,VAR,WBR'.split(','),
)
const UNSEEN = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'HEAD', 'TITLE', 'SVG', 'BUTTON', 'SELECT', 'TEXTAREA'])

/** The text of an element, with a space at the borders of all but inline elements. */
export function textOfElement(root: DomElement): string {
  const parts: string[] = []
  const walk = (node: DomNode): void => {
    if (isText(node)) parts.push(node.textContent)
    if (!isElement(node) || UNSEEN.has(node.nodeName.toUpperCase())) return
    const border = INLINE.has(node.nodeName.toUpperCase()) ? '' : ' '
    parts.push(border)
    for (const child of node.childNodes) walk(child)
    parts.push(border)
  }
  walk(root)
  return parts.join('')
}

const FENCE = /^ *(?:[-*>] +|\d+\. +)*(`{3,})[^`\n]*$/

/**
 * The text of the extracted Markdown: without link targets, pictures, language names, list numbers, escapes and tags.
 * Code is unchanged.
 */
export function textOfMarkdown(markdown: string): string {
  const lines: string[] = []
  let fence: string | null = null
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== null) {
      if (line.trim() === fence) fence = null
      else lines.push(line)
    } else if (mark !== undefined) fence = mark
    else lines.push(textOfLine(line))
  }
  return lines.join('\n')
}

function textOfLine(line: string): string {
  if (/^ *<\/?(?:table|caption|tr)>/.test(line))
    return textOfElement(parseBody(line.replace(/<\/?(?:table|tr)>/g, ' ').replace(/<\/?t[hd]\b[^>]*>/g, ' ')).body)
  return line
    .replace(/^ *\[\^\w+\]: /, '')
    .replace(/^((?: |> ?)*)\d+\. /, '$1')
    .replace(/!\[(?:\\.|[^\]\\])*\]\([^)]*\)/g, '')
    .replace(/\]\([^()\s]*(?: "[^"]*")?\)/g, ' ')
    .replace(/<\/?(?:sub|sup|br)>/g, (tag) => (/^<\/?su/.test(tag) ? '' : ' '))
    .replace(/\\([\\`*_[\](){}#+.!|<>~-])/g, '$1')
    .replace(/\*\*|~~|`/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
}
