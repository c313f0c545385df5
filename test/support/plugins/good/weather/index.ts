import { plugin } from '../../../../../core/sdk/index.js'

export const manifest = plugin({ name: 'weather', version: '1.0.0', sdk: 2, title: 'Weather' })
