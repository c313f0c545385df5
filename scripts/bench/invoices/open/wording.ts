import { american } from './wording/american.js'
import { dutch } from './wording/dutch.js'
import { english } from './wording/english.js'
import { french } from './wording/french.js'
import { german } from './wording/german.js'
import { italian } from './wording/italian.js'
import { polish } from './wording/polish.js'
import { portuguese } from './wording/portuguese.js'
import { spanish } from './wording/spanish.js'
import { swiss } from './wording/swiss.js'
import type { Language, Wording } from './wording/types.js'

export type { Language, Wording }

export const WORDING: Readonly<Record<Language, Wording>> = {
  en: english,
  us: american,
  de: german,
  ch: swiss,
  fr: french,
  es: spanish,
  it: italian,
  nl: dutch,
  pt: portuguese,
  pl: polish,
}
