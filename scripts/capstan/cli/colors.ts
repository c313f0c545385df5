import picocolors from 'picocolors'

/** Colours for standard output, only on a terminal: the library also enables them for `CI=true`, but programs parse pipes. */
export const colors = picocolors.createColors(picocolors.isColorSupported && process.stdout.isTTY === true)
