import { plugin, SDK_VERSION } from '../../core/sdk/index.js'

export const companies = plugin({
  name: 'companies',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Finds what is known of a company by its domain',
})
