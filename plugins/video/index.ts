import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const video = plugin({
  name: 'video',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Information on videos of the web, and their download',
})
