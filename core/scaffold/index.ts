export { newPlugin } from './plugin.js'
export { newProvider, type NewProvider, type NewProviderOptions } from './provider.js'
