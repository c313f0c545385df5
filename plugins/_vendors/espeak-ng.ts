import { vendor } from '../../core/sdk/index.js'

/** eSpeak NG on this machine: formant voices of about 130 languages. */
export const espeakNg = vendor({
  id: 'espeak-ng',
  title: 'eSpeak NG (local)',
  home: 'https://github.com/espeak-ng/espeak-ng/blob/master/docs/guide.md',
  programs: { 'espeak-ng': 'espeak-ng', bwrap: 'bubblewrap' },
})
