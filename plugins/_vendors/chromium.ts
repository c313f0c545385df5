import { vendor } from '../../core/sdk/index.js'

/** Chromium on this machine, run inside the sandbox. Without either program it is dormant: it is never started unsandboxed. */
export const chromium = vendor({
  id: 'chromium',
  title: 'Chromium (local)',
  home: 'https://www.chromium.org/',
  programs: { bwrap: 'bubblewrap' },
  anyProgram: { 'chromium-headless-shell': 'chromium-headless-shell', chromium: 'chromium' },
  boundedWithoutGroups: true,
})
