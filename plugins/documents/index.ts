import { plugin, SDK_VERSION } from '../../core/sdk/index.js'
import { settings } from './settings.js'

export const documents = plugin({
  name: 'documents',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Data out of documents and pages',
  settings,
})
