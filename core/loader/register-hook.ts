import { register } from 'node:module'

// Evaluated once. Imported only when there is a third-party plugin, because a hook starts a thread.
register(new URL('./resolve-hook.js', import.meta.url))
export const registered = true
