/** One request to a vendor, in milliseconds: three tries fit into the 60 s of a call. */
export const REMOTE_MS = 20_000
/** One run of a program on this machine, in milliseconds. */
export const PROGRAM_MS = 40_000
