import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const registration = plugin({
  name: 'registration',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Says whether and to whom a domain is registered, for other plugins',
})
