import { register } from 'node:module'
import { modulesFolder } from './gateway-modules.js'
import { MODULES } from './module-query.js'

/*
 * Registers the resolve hook, once, since a module is evaluated once. Imported only when there is a third-party plugin,
 * because a hook starts a thread.
 */
const hook = new URL('./resolve-hook.js', import.meta.url)
hook.searchParams.set(MODULES, modulesFolder)
register(hook)
export const registered = true
