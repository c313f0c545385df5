/** What callers can do about a page that is not there. */
export const ADDRESS_REMEDY = 'Check the address: open it in a browser, or search for where the page is now.'
/** What callers can do about a selector that matches nothing. */
export const WAIT_REMEDY = 'Check the selector against the page as a browser shows it, give timeout more seconds, or leave wait_for out.'
