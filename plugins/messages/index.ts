import { plugin, SDK_VERSION } from '../../core/sdk/index.js'
import { settings } from './settings.js'

export const messages = plugin({
  name: 'messages',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Sends messages by SMS and WhatsApp',
  settings,
})
