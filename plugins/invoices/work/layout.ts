import { readingOf, type Reading } from '../layout/invoice.js'
import type { Page } from '../layout/types.js'

/** Runs in a worker with limits of time and memory: the words are untrusted. */
export default function read(pages: readonly Page[]): Reading {
  return readingOf(pages)
}
