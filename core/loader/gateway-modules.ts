/** Modules of a gateway in one file, by their path in the build: `scripts/bundle.mjs` replaces this module. */
export const gatewayModules: Readonly<Record<string, () => Promise<unknown>>> = {}
/** URL of the folder from which other code imports modules of the gateway, by the same paths. */
export const modulesFolder = new URL('../../', import.meta.url).href
