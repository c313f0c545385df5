/** Common names below a domain, the most frequent first. */
export const WORDS: readonly string[] = (
  'www mail ftp webmail smtp pop imap ns1 ns2 ns3 mx mx1 mx2 autodiscover autoconfig cpanel whm webdisk m mobile ' +
  'api dev test staging stage qa uat beta demo sandbox app apps admin portal dashboard login sso auth id account ' +
  'accounts my secure vpn remote gateway blog news shop store forum community support help helpdesk docs wiki kb status cdn ' +
  'static assets img images media files download upload video stream chat crm erp hr jobs careers intranet extranet git svn ' +
  'ci monitor stats analytics search db mysql sql backup cloud'
).split(' ')
