import { nullable, or, Type, vendor } from '../../core/sdk/index.js'
import { packProbe } from '../_shared/engine-pack.js'

/** U2-Net p on this machine, in its own sandboxed process; installed as an engine pack. */
export const cutout = vendor({
  id: 'cutout',
  title: 'U2-Net p (local)',
  home: 'https://github.com/xuebinqin/U-2-Net',
  programs: { cutout: 'npm run tools -- cutout', bwrap: 'bubblewrap' },
  probe: packProbe('cutouts', 'cutout'),
  boundedWithoutGroups: true,
  settings: Type.Object({
    model: or(
      nullable(
        Type.String({
          minLength: 1,
          description:
            'Path of an ONNX file to be used instead of that of the pack: input 1 x 3 x 320 x 320, first output a mask of that size.',
        }),
      ),
      null,
    ),
  }),
})
