import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const scrapePlugin = plugin({
  name: 'scrape',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Reads web pages and documents as Markdown or HTML',
})
