import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const domains = plugin({ name: 'domains', version: '1.0.0', sdk: SDK_VERSION, title: 'Domain names' })
