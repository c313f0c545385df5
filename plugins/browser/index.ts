import { plugin, SDK_VERSION } from '../../core/sdk/index.js'
import { settings } from './settings.js'

export const browser = plugin({
  name: 'browser',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'A pooled, sandboxed browser for other plugins',
  settings,
})
