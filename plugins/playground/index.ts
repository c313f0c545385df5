import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const playground = plugin({
  name: 'playground',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Finds the call that a sentence means',
})
