import { plugin } from '../../core/sdk/index.js'

export const search = plugin({ name: 'search', version: '1.0.0', sdk: 2, title: 'Web search' })
