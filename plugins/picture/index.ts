import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const picture = plugin({
  name: 'picture',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Changes pictures and says what is in them, for other plugins',
})
