import { vendor } from '../../core/sdk/index.js'

/** Sounds from noise, tones and struck bodies, generated on this machine. */
export const synth = vendor({ id: 'synth', title: 'Synthesis (local)', programs: { ffmpeg: 'ffmpeg', bwrap: 'bubblewrap' } })
