import { plugin, SDK_VERSION } from '../../core/sdk/index.js'
import { settings } from './settings.js'

export const transcription = plugin({
  name: 'transcription',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Transcription of speech',
  settings,
})
