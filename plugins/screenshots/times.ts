/** Time of one try at a remote vendor. */
export const REMOTE_MS = 40_000
/** Seconds a remote vendor may take to open a page. */
export const REMOTE_PAGE_S = 30
