import { vendor } from '../../core/sdk/index.js'

/** Neural voices in sherpa-onnx: an engine pack with an English voice of Piper. */
export const voice = vendor({
  id: 'voice',
  title: 'Neural voice (local)',
  home: 'https://k2-fsa.github.io/sherpa/onnx/tts/index.html',
  programs: { voice: 'npm run tools -- voice', bwrap: 'bubblewrap' },
  extras: {
    'the pronunciation of the neural voice': { packages: 'espeak-ng-data', paths: ['/usr/lib/x86_64-linux-gnu/espeak-ng-data/phontab'] },
  },
})
