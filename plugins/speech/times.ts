/** Limit of one vendor request in milliseconds: three tries fit into the 60 s of a call. */
export const REMOTE_MS = 20_000
/** Limit of one local program run in milliseconds. */
export const PROGRAM_MS = 40_000
