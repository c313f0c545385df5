import type { Registry } from '../loader/types.js'
import type { SettingValues } from '../sdk/index.js'

/** The current settings for resources, by handler and provider. */
export function settingsInForce({ capabilities, ports }: Registry): ReadonlyMap<object, SettingValues> {
  const providers = [...ports.values()].flatMap(({ all }) =>
    all.map(({ contribution, access }) => [contribution, access.settings] as const),
  )
  const handlers = [...capabilities.values()].flatMap(({ handler, settings }) => (handler === null ? [] : [[handler, settings] as const]))
  return new Map<object, SettingValues>([...providers, ...handlers])
}
