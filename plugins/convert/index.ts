import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const convert = plugin({
  name: 'convert',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Converts files between formats',
})
