import type { Look } from './elements.js'

/** An element that looks beside the content, with the characters in it, inside links and outside. */
export interface Frame {
  readonly look: Look
  readonly inner: Frame[]
  text: number
  links: number
}

/** Characters of a page without those beside its content; what holds most of its text outside of links is not beside it, navigation apart. */
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
