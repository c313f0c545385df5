import { register } from 'node:module'

/*
 * Registers the resolve hook. A module is evaluated once, so importing this one as often as needed registers once; it is
 * imported only when there is a third-party plugin, because a hook starts a thread.
 */
register(new URL('./resolve-hook.js', import.meta.url))
export const registered = true
