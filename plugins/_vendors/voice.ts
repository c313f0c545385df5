import { vendor } from '../../core/sdk/index.js'
import { packProbe } from '../_shared/engine-pack.js'

/** Piper voices in sherpa-onnx, in their own sandboxed process; installed as an engine pack. Pronunciation uses the data of eSpeak NG. */
export const voice = vendor({
  id: 'voice',
  title: 'Neural voice (local)',
  home: 'https://k2-fsa.github.io/sherpa/onnx/tts/index.html',
  programs: { voice: 'npm run tools -- voice', 'espeak-ng': 'espeak-ng', bwrap: 'bubblewrap' },
  probe: packProbe('speech', 'voice'),
  boundedWithoutGroups: true,
})
