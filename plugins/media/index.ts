import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const media = plugin({
  name: 'media',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Looks into audio and video files and converts them, for other plugins',
})
