import { vendor } from '../../core/sdk/index.js'

/** Where Debian's sonic-pi-samples installs its recordings, as FLAC. */
export const SAMPLE_FOLDER = '/usr/share/sonic-pi/samples'

/** Recorded sounds of Debian's package sonic-pi-samples, decoded by FFmpeg on this machine. */
export const samples = vendor({
  id: 'samples',
  title: 'Recorded sounds (local)',
  home: 'https://packages.debian.org/stable/sonic-pi-samples',
  programs: { ffmpeg: 'ffmpeg', bwrap: 'bubblewrap' },
  extras: { 'recorded sounds: bells, doors, drums, robots, vinyl': { packages: 'sonic-pi-samples', paths: [SAMPLE_FOLDER] } },
})
