import { plugin, SDK_VERSION } from '../../core/sdk/index.js'
import { settings } from './settings.js'

export const images = plugin({
  name: 'images',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Generates pictures from a description',
  settings,
})
