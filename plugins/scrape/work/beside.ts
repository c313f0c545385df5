import type { Outline, Range } from './outline.js'

/** Removes non-content parts from the elements with texts of a range, or from the whole page. */
export function removeBeside(outline: Outline, range?: Range): void {
  for (const part of outline.beside) {
    if (range === undefined || (range.from <= part.from && part.to <= range.to)) part.element.remove()
  }
}
