/** From here on whoever needs room in an account's list of unpublished entries publishes them first. */
export const PUBLISH_AT = 64

/** No hold is made when so many entries of an account are unpublished: its document stays far from the server's limit of 16 MB. */
export const MOST_UNPUBLISHED = 512

/** How often a contended step is tried before it is given up as unavailable. */
export const TRIES = 50
