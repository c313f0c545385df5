/** Role mailboxes: RFC 2142 and common usage. */
const ROLES = new Set(
  (
    'abuse accounting accounts admin administrator all billing bookings business ceo compliance contact contacts customercare customerservice ' +
    'customersupport datenschutz dev devnull director dns dpo editor enquiries enquiry events everyone fax feedback finance ftp hello help ' +
    'helpdesk hostmaster hr info information inquiries inquiry investors invoice invoices it jobs kontakt legal list list-request mail ' +
    'mailer-daemon mailerdaemon management marketing media news newsletter no-reply noc noreply nobody office operations orders payments ' +
    'payroll phishing post postbox postmaster pr press privacy prime purchasing reception recruiting recruitment redaktion registrar root rsvp ' +
    'sales security service shop spam staff subscribe support sysadmin team tech technical unsubscribe usenet uucp verkauf vertrieb web ' +
    'webmaster webmail www'
  ).split(' '),
)

/** True for a local part of a role, such as `info` or `sales+de`. */
export function isRoleAccount(local: string): boolean {
  const name = local.replace(/^"|"$/g, '').toLowerCase()
  return ROLES.has(name) || ROLES.has(name.replace(/\+.*$/, ''))
}
