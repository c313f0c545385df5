import { vendor } from '../../core/sdk/index.js'

/** The full Chromium on this machine, started with the properties of a headed browser, inside the sandbox. */
export const chromiumStealth = vendor({
  id: 'chromium-stealth',
  title: 'Chromium, stealth (local)',
  home: 'https://www.chromium.org/',
  programs: { chromium: 'chromium', bwrap: 'bubblewrap' },
  boundedWithoutGroups: true,
})
