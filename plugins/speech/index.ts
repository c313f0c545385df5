import { plugin, SDK_VERSION } from '../../core/sdk/index.js'
import { settings } from './settings.js'

export const speech = plugin({ name: 'speech', version: '1.0.0', sdk: SDK_VERSION, title: 'Speaks text', settings })
