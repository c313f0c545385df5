import type { Look } from './elements.js'

/** An element that appears to be non-content, with its characters inside and outside links. */
export interface Frame {
  readonly look: Look
  readonly inner: Frame[]
  text: number
  links: number
}

/** Characters of a page without its non-content parts; a part with most of the text outside links is content, except navigation. */
export function mainOf(page: Frame): { text: number; links: number } {
  const main = { text: page.text, links: page.links }
  const take = (frame: Frame): void => {
    for (const inner of frame.inner) {
      if (inner.look === 'beside' && (inner.text - inner.links) * 2 > page.text - page.links) take(inner)
      else {
        main.text -= inner.text
        main.links -= inner.links
      }
    }
  }
  take(page)
  return main
}
