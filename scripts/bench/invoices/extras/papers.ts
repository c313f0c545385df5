import type { Paper } from './paper.js'
import { eastern } from './papers/eastern.js'
import { english } from './papers/english.js'
import { nordic } from './papers/nordic.js'
import { western } from './papers/western.js'

/** In the order that designs take their typefaces from. */
export const papers: readonly Paper[] = [...nordic, ...eastern, ...english, ...western]
