export { newPlugin } from './plugin.js'
export { newProvider, type NewProvider } from './provider.js'
