import { vendor } from '../../core/sdk/index.js'

/** Removes uniform backgrounds, on this machine. */
export const flat = vendor({ id: 'flat', title: 'Uniform background (local)', programs: { bwrap: 'bubblewrap' } })
