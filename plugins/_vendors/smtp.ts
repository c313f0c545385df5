import { vendor } from '../../core/sdk/index.js'

/** The mail servers of the domain, by SMTP up to RCPT (RFC 5321); port 25 must be open. */
export const smtp = vendor({ id: 'smtp', title: 'Mail servers of the domain (local)', home: 'https://www.rfc-editor.org/rfc/rfc5321' })
