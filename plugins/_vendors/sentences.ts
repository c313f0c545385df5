import { vendor } from '../../core/sdk/index.js'
import { packProbe } from '../_shared/engine-pack.js'

/** The Universal Sentence Encoder on this machine, in its own sandboxed process; installed as an engine pack. */
export const sentences = vendor({
  id: 'sentences',
  title: 'Universal Sentence Encoder (local)',
  home: 'https://arxiv.org/abs/1907.04307',
  programs: { sentences: 'npm run tools -- sentences', python3: 'python3', bwrap: 'bubblewrap' },
  probe: packProbe('sentences', 'sentences'),
  boundedWithoutGroups: true,
})
