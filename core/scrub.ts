import type { Registry } from './loader/port.js'

/** Takes secrets out of this process's environment once they are read, so that plugins and children cannot look there. */
export function scrubEnvironment(registry: Registry): void {
  const variables = registry.vendors.flatMap(({ secrets, optionalSecrets }) => [
    ...Object.values(secrets ?? {}),
    ...Object.values(optionalSecrets ?? {}),
  ])
  for (const name of [...variables, 'CAPSTAN_ADMIN_TOKEN']) Reflect.deleteProperty(process.env, name)
}
