import { plugin, SDK_VERSION } from '../../core/sdk/index.js'
import { settings } from './settings.js'

export const reading = plugin({
  name: 'reading',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Reads documents, and text in pictures, for other plugins',
  settings,
})
