import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const subtitles = plugin({ name: 'subtitles', version: '1.0.0', sdk: SDK_VERSION, title: 'Subtitles of recordings' })
