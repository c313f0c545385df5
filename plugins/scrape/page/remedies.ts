/** Advice for callers on a missing page. */
export const ADDRESS_REMEDY = 'Check the address: open it in a browser, or search for where the page is now.'
/** Advice for callers on a selector without a match. */
export const WAIT_REMEDY = 'Check the selector against the page as a browser shows it, give timeout more seconds, or leave wait_for out.'
