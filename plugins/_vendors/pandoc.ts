import { vendor } from '../../core/sdk/index.js'

/** pandoc of this machine, started by a shell that shows it its data files. */
export const pandoc = vendor({
  id: 'pandoc',
  title: 'pandoc (local)',
  home: 'https://pandoc.org/MANUAL.html',
  programs: { pandoc: 'pandoc', sh: 'dash', bwrap: 'bubblewrap' },
})
