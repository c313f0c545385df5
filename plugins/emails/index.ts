import { plugin, SDK_VERSION } from '../../core/sdk/index.js'
import { settings } from './settings.js'

export const emails = plugin({
  name: 'emails',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Finds and verifies mail addresses',
  settings,
})
