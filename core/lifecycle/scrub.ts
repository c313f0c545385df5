import type { Registry } from '../loader/types.js'

/** Secrets of the gateway itself; database addresses may contain a password. */
const OWN = [
  'CAPSTAN_ADMIN_TOKEN',
  'CAPSTAN_STORE',
  'CAPSTAN_REDIS',
  'CAPSTAN_S3_ACCESS_KEY_ID',
  'CAPSTAN_S3_SECRET_ACCESS_KEY',
  'CAPSTAN_S3_SESSION_TOKEN',
]

/** Removes secrets from this process's environment after they are read, to hide them from plugins and programs. */
export function scrubEnvironment(registry: Registry): void {
  const variables = registry.vendors.flatMap(({ secrets, optionalSecrets }) => [
    ...Object.values(secrets ?? {}),
    ...Object.values(optionalSecrets ?? {}),
  ])
  for (const name of [...variables, ...OWN]) Reflect.deleteProperty(process.env, name)
}
