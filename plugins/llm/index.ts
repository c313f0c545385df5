import { plugin } from '../../core/sdk/index.js'

export const llm = plugin({ name: 'llm', version: '1.0.0', sdk: 1, title: 'Language models' })
