import type { Registry } from '../loader/port.js'

/** The settings that the resources of each provider see, by provider. */
export function settingsInForce({ ports }: Registry): ReadonlyMap<object, Readonly<Record<string, unknown>>> {
  return new Map([...ports.values()].flatMap(({ all }) => all.map(({ contribution, access }) => [contribution, access.settings] as const)))
}
