import { vendor } from '../../core/sdk/index.js'

/** The gateway itself: the usual address patterns, checked at the mail server up to RCPT; port 25 must be open. */
export const pattern = vendor({ id: 'pattern', title: 'Address patterns (local)', home: 'https://www.rfc-editor.org/rfc/rfc5321' })
