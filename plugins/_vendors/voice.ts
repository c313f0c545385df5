import { vendor } from '../../core/sdk/index.js'
import { packProbe } from '../_shared/engine-pack.js'

/** Voices of Piper in sherpa-onnx, in a sandboxed process of their own; brought by an engine pack. They pronounce by the data of eSpeak NG. */
export const voice = vendor({
  id: 'voice',
  title: 'Neural voice (local)',
  home: 'https://k2-fsa.github.io/sherpa/onnx/tts/index.html',
  programs: { voice: 'npm run tools -- voice', 'espeak-ng': 'espeak-ng', bwrap: 'bubblewrap' },
  probe: packProbe('speech', 'voice'),
  boundedWithoutGroups: true,
})
