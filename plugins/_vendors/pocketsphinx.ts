import { vendor } from '../../core/sdk/index.js'

/** PocketSphinx on this machine with its English model. */
export const pocketsphinx = vendor({
  id: 'pocketsphinx',
  title: 'PocketSphinx (local)',
  home: 'https://cmusphinx.github.io/wiki/tutorialpocketsphinx/',
  programs: { pocketsphinx_continuous: 'pocketsphinx pocketsphinx-en-us', bwrap: 'bubblewrap' },
})
