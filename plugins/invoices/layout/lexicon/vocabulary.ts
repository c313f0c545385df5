import type { Language } from '../types.js'
import type { Column } from './headers.js'
import type { Field } from './labels.js'
import { czech } from './languages/czech.js'
import { danish } from './languages/danish.js'
import { dutch } from './languages/dutch.js'
import { english } from './languages/english.js'
import { finnish } from './languages/finnish.js'
import { french } from './languages/french.js'
import { german } from './languages/german.js'
import { greek } from './languages/greek.js'
import { hungarian } from './languages/hungarian.js'
import { italian } from './languages/italian.js'
import { japanese } from './languages/japanese.js'
import { norwegian } from './languages/norwegian.js'
import { polish } from './languages/polish.js'
import { portuguese } from './languages/portuguese.js'
import { romanian } from './languages/romanian.js'
import { slovak } from './languages/slovak.js'
import { spanish } from './languages/spanish.js'
import { swedish } from './languages/swedish.js'
import { turkish } from './languages/turkish.js'
import { ukrainian } from './languages/ukrainian.js'

/** The words of one language. Phrases are separated by bars; spaces, case, accents and punctuation are ignored. */
export interface Vocabulary {
  readonly labels: Partial<Record<Field, string>>
  readonly headings: Partial<Record<Column, string>>
  /** Twelve months separated by bars, the forms of each by blanks; empty when dates are numeric only. */
  readonly months: string
  /** Frequent short words that identify the language. */
  readonly common: string
}

/** A new language needs a file in `languages`, a line here and its code in `LANGUAGES`. */
export const VOCABULARIES: Readonly<Record<Language, Vocabulary>> = {
  ...{ en: english, de: german, fr: french, es: spanish, it: italian, nl: dutch, pt: portuguese, pl: polish },
  ...{ sv: swedish, no: norwegian, da: danish, fi: finnish, cs: czech, sk: slovak, hu: hungarian, ro: romanian },
  ...{ tr: turkish, el: greek, uk: ukrainian, ja: japanese },
}
