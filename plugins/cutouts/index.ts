import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const cutoutsPlugin = plugin({
  name: 'cutouts',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Takes the background off pictures',
})
