import { vendor } from '../../core/sdk/index.js'

/** This gateway's own reader and writer of tables as text, in the sandbox. */
export const tables = vendor({ id: 'tables', title: 'Text tables (built in)', programs: { bwrap: 'bubblewrap' } })
