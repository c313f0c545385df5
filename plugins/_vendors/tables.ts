import { vendor } from '../../core/sdk/index.js'

/** The built-in reader and writer of text tables, in the sandbox. */
export const tables = vendor({ id: 'tables', title: 'Text tables (built in)', programs: { bwrap: 'bubblewrap' } })
