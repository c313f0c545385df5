import { plugin } from '../../../../../core/sdk/index.js'

export const manifest = plugin({ name: 'greeting', version: '1.0.0', sdk: 2, title: 'Greeting' })
