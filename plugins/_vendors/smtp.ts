import { vendor } from '../../core/sdk/index.js'

/** The mail servers of the domain, by SMTP up to RCPT (RFC 5321). Many networks block outgoing port 25. */
export const smtp = vendor({
  id: 'smtp',
  title: 'Mail servers of the domain (local)',
  home: 'https://www.rfc-editor.org/rfc/rfc5321',
  reaches: {
    host: 'gmail-smtp-in.l.google.com',
    port: 25,
    closingLine: 'QUIT',
    otherwise:
      'emails.verify answers unknown, failed_smtp_connection, where only the mail server knows; ask who runs the network to open it',
  },
})
