import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const wikidata = plugin({
  name: 'wikidata',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Reads entities of Wikidata, for other plugins',
})
