import { plugin, SDK_VERSION } from '../../core/sdk/index.js'
import { settings } from './settings.js'

export const research = plugin({
  name: 'research',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Reports on a question, from sources that were read',
  settings,
})
