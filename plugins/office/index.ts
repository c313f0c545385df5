import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const office = plugin({
  name: 'office',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Converts documents, sheets and slides of office programs, for other plugins',
})
