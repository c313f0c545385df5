import { readingOf, type Reading } from '../layout/invoice.js'
import type { Page } from '../layout/types.js'

/** Runs in a worker, where time and memory have limits: words are foreign text. */
export default function read(pages: readonly Page[]): Reading {
  return readingOf(pages)
}
