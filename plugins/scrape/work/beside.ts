import { isElement, type DomElement } from './dom.js'
import { CONTENT, isBeside } from './elements.js'

/** Removes what frames the content of an element or stands beside it. */
export function removeBeside(element: DomElement, inContent = false): void {
  for (const child of [...element.childNodes]) {
    if (!isElement(child)) continue
    const name = child.nodeName.toLowerCase()
    if (isBeside(name, (attribute) => child.getAttribute(attribute), inContent)) child.remove()
    else removeBeside(child, inContent || CONTENT.has(name))
  }
}
