import { vendor } from '../../core/sdk/index.js'

/** PocketSphinx of this machine with its model of English. */
export const pocketsphinx = vendor({
  id: 'pocketsphinx',
  title: 'PocketSphinx (local)',
  home: 'https://cmusphinx.github.io/wiki/tutorialpocketsphinx/',
  programs: { pocketsphinx_continuous: 'pocketsphinx pocketsphinx-en-us', bwrap: 'bubblewrap' },
})
