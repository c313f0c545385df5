import { plugin, SDK_VERSION } from '../../core/sdk/index.js'
import { settings } from './settings.js'

export const captcha = plugin({
  name: 'captcha',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Has captchas solved at services, for other plugins',
  settings,
})
