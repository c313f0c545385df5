import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const sites = plugin({
  name: 'sites',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Looks into domains: registration, DNS, TLS, headers, technologies',
})
