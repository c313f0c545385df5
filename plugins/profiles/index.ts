import { plugin, SDK_VERSION } from '../../core/sdk/index.js'
import { settings } from './settings.js'

export const profiles = plugin({
  name: 'profiles',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Finds professional profiles of people',
  settings,
})
