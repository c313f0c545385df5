import { vendor } from '../../core/sdk/index.js'

/** Chromium on this machine, run inside the sandbox. It is never started unsandboxed: without either program it is dormant. */
export const chromium = vendor({
  id: 'chromium',
  title: 'Chromium (local)',
  home: 'https://www.chromium.org/',
  programs: { bwrap: 'bubblewrap' },
  anyProgram: { 'chromium-headless-shell': 'chromium-headless-shell', chromium: 'chromium' },
  boundedWithoutGroups: true,
})
