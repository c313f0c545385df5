/** So many unpublished entries of an account are published at once by the gateway it belongs to. */
export const PUBLISH_AT = 64

/** So many by any gateway. */
export const PUBLISH_FOR_OTHERS_AT = 256

/** No hold is made when so many entries of an account are unpublished: its document stays far from the server's limit of 16 MB. */
export const MOST_UNPUBLISHED = 512

/** How often a contended step is tried before it is given up as unavailable. */
export const TRIES = 50
