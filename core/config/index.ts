export { loadConfig } from './load.js'
export { hint, nearest } from '../sdk/nearest.js'
export { settingsTable, withSettingsTable } from './report.js'
export * from './types.js'
