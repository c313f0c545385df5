import { vendor } from '../../core/sdk/index.js'

/** Decodes and measures recordings on this machine, in the sandbox. */
export const decoder = vendor({
  id: 'decoder',
  title: 'Audio decoder (built in)',
  programs: { bwrap: 'bubblewrap' },
})
