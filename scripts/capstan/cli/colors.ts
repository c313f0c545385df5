import picocolors from 'picocolors'

/** Colours of what goes to standard output, on a terminal alone: the library takes `CI=true` for one, and a pipe is searched by programs. */
export const colors = picocolors.createColors(picocolors.isColorSupported && process.stdout.isTTY === true)
