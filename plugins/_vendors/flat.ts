import { vendor } from '../../core/sdk/index.js'

/** Cuts subjects out of backgrounds of one colour, on this machine. */
export const flat = vendor({ id: 'flat', title: 'Uniform background (local)', programs: { bwrap: 'bubblewrap' } })
