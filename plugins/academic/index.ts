import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const academic = plugin({
  name: 'academic',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Finds scholarly works, for other plugins',
})
