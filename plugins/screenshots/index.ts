import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const screenshotsPlugin = plugin({
  name: 'screenshots',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Takes pictures of web pages',
})
