import { vendor } from '../../core/sdk/index.js'

/** calibre's converter on this machine. */
export const calibre = vendor({
  id: 'calibre',
  title: 'calibre (local)',
  home: 'https://manual.calibre-ebook.com/generated/en/ebook-convert.html',
  programs: { 'ebook-convert': 'calibre', bwrap: 'bubblewrap' },
})
