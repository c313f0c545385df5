import { plugin } from '../../core/sdk/index.js'

export const llm = plugin({ name: 'llm', version: '1.0.0', sdk: 2, title: 'Language models' })
