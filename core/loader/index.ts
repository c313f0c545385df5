export { bundledFolder, loadPlugins, type LoadOptions } from './load.js'
export { lockPlugins } from './lock.js'
export { PluginError } from './plugin-error.js'
export type * from './port.js'
