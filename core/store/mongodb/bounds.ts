/** An account with this many unpublished entries is published at once by the gateway that owns its slot. */
export const PUBLISH_AT = 64

/** The same for any gateway. */
export const PUBLISH_FOR_OTHERS_AT = 256

/** Holds are refused at this many unpublished entries: the document stays far below the server's limit of 16 MB. */
export const MOST_UNPUBLISHED = 512

/** Tries of a contended step before it fails as unavailable. */
export const TRIES = 50
