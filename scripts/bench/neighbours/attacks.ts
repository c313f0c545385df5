import type { Attack } from './attack.js'
import { files, memory } from './bytes.js'
import { opened, read } from './pages.js'
import { others, programs } from './programs.js'

/** All attacks, in the order of the table. */
export const attacks: readonly Attack[] = [...opened, ...read, ...programs, ...others, ...memory, ...files]
