/**
 * The modules of a gateway that runs as one file, by their path in the build; empty when it runs as single modules. In the file, a table of
 * `scripts/bundle.mjs` is in place of this module.
 */
export const gatewayModules: Readonly<Record<string, () => Promise<unknown>>> = {}
/** URL of the folder from which other code imports modules of the gateway, by the same paths. */
export const modulesFolder = new URL('../../', import.meta.url).href
