import { plugin, SDK_VERSION } from '../../core/sdk/index.js'
import { settings } from './settings.js'

export const sounds = plugin({ name: 'sounds', version: '1.0.0', sdk: SDK_VERSION, title: 'Makes sounds', settings })
