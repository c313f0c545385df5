import { vendor } from '../../core/sdk/index.js'
import { packProbe } from '../_shared/engine-pack.js'

/** Whisper on this machine, in its own sandboxed process; installed as an engine pack. A further pack adds speaker diarization. */
export const whisper = vendor({
  id: 'whisper',
  title: 'Whisper (local)',
  home: 'https://github.com/openai/whisper',
  programs: { whisper: 'npm run tools -- whisper', python3: 'python3', bwrap: 'bubblewrap' },
  optionalPrograms: { speakers: 'npm run tools -- speakers' },
  probe: packProbe('transcription', 'whisper'),
  boundedWithoutGroups: true,
})
