import { vendor } from '../../core/sdk/index.js'

/** Built-in rules that read an invoice from the positions of its words. */
export const layout = vendor({ id: 'layout', title: 'Layout rules (built in)' })
