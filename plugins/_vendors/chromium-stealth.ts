import { vendor } from '../../core/sdk/index.js'

/** The full Chromium of this machine, started so that it looks like one with a window, inside the sandbox. */
export const chromiumStealth = vendor({
  id: 'chromium-stealth',
  title: 'Chromium, stealth (local)',
  home: 'https://www.chromium.org/',
  programs: { chromium: 'chromium', bwrap: 'bubblewrap' },
  boundedWithoutGroups: true,
})
