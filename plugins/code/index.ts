import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const code = plugin({ name: 'code', version: '1.0.0', sdk: SDK_VERSION, title: 'Sandboxed code execution' })
