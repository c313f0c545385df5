import { vendor } from '../../core/sdk/index.js'

/** General MIDI instruments, where Debian's package installs them. */
export const SOUND_FONT = '/usr/share/sounds/sf2/TimGM6mb.sf2'

/** Music with the instruments of a sound font, generated on this machine. */
export const music = vendor({
  id: 'music',
  title: 'Sound font (local)',
  programs: { ffmpeg: 'ffmpeg', bwrap: 'bubblewrap' },
  extras: { 'instruments for music': { packages: 'timgm6mb-soundfont', paths: [SOUND_FONT] } },
})
