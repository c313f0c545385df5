import type { DomElement } from './dom.js'

const KEPT: Readonly<Record<string, readonly string[]>> = {
  A: ['href', 'title'],
  IMG: ['src', 'alt'],
  TD: ['colspan', 'rowspan'],
  TH: ['colspan', 'rowspan'],
  OL: ['start'],
}

/** The part as HTML with only structure, text, links and images. The scan has already removed scripts and styles. */
export function cleanHtml(root: DomElement): string {
  for (const element of root.querySelectorAll('*')) {
    const language = element.getAttribute('data-fence')
    const kept = KEPT[element.nodeName] ?? []
    for (const name of attributeNames(element)) if (name !== 'dir' && !kept.includes(name)) element.removeAttribute(name)
    if (language !== null && (element.nodeName === 'CODE' || element.nodeName === 'PRE'))
      element.setAttribute('class', `language-${language}`)
  }
  // Readability creates elements with upper-case names, which the serialiser keeps.
  return root.innerHTML.trim().replace(/<\/?[A-Z][A-Z0-9]*(?=[\s>])/g, (tag) => tag.toLowerCase())
}

function attributeNames(element: DomElement & { getAttributeNames?: () => string[] }): string[] {
  return element.getAttributeNames?.() ?? []
}
