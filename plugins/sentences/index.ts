import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const sentences = plugin({
  name: 'sentences',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Turns sentences into vectors by their meaning, for other plugins',
})
