import { vendor } from '../../core/sdk/index.js'
import type { Loss } from './losses.js'

/** Warnings of pandoc 2 and 3 (src/Text/Pandoc/Logging.hs). */
export const PANDOC_LOSSES: readonly Loss[] = [
  { sign: /Could not convert TeX math/, message: 'Formulas that could not be converted are in the result as TeX.' },
  {
    sign: /Could not (?:fetch|load) (?:resource|include)|Could not deduce format/,
    message: 'Parts that the file only refers to were left out.',
  },
  {
    sign: /Citeproc: citation [^\n]{1,200} not found|Citation [^\n]{1,200} not found/,
    message: 'Citations without an entry in the list of references were left as they are.',
  },
]

/** pandoc on this machine, started by a shell that makes its data files available. */
export const pandoc = vendor({
  id: 'pandoc',
  title: 'pandoc (local)',
  home: 'https://pandoc.org/MANUAL.html',
  programs: { pandoc: 'pandoc', sh: 'dash', bwrap: 'bubblewrap' },
})
