export { newPlugin } from './plugin.js'
export { newProvider, type NewProviderOptions } from './provider.js'
