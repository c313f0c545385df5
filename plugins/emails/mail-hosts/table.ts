/** The role of an MX host: the mailbox provider itself, a filter or relay before it, or a forwarding service. */
type MailProviderKind = 'consumer' | 'business' | 'both' | 'forwarding' | 'filter' | 'api' | 'parked'

/** The usual reply of its hosts to RCPT for any recipient, which makes it inconclusive. */
type MailHabit = 'accepts' | 'defers'

export interface MailProvider {
  /** Short name in lower case: `google`, `g-suite`, `microsoft`. */
  readonly id: string
  readonly label: string
  readonly kind: MailProviderKind
  readonly habit: MailHabit | null
}

type Row = readonly [patterns: string, label: string, kind: MailProviderKind, id?: string, habit?: MailHabit]

/** Host patterns with * as a wildcard; among several matches the most specific one is used. */
export const ROWS: readonly Row[] = [
  ['gmail-smtp-in.l.google.com *.gmail-smtp-in.l.google.com', 'Gmail', 'consumer', 'google'],
  ['aspmx.l.google.com *.aspmx.l.google.com *.googlemail.com smtp.google.com *.psmtp.com', 'Google Workspace', 'business', 'g-suite'],
  ['*.olc.protection.outlook.com *.hotmail.com', 'Outlook.com', 'consumer', 'microsoft'],
  ['*.mail.protection.outlook.com *.mail.eo.outlook.com *.mx.microsoft', 'Microsoft 365', 'business', 'microsoft'],
  ['mx-biz.mail.am0.yahoodns.net *.biz.mail.yahoo.com', 'Yahoo Small Business', 'business', 'yahoo', 'accepts'],
  ['*.yahoodns.net *.mail.yahoo.co.jp', 'Yahoo Mail', 'consumer', 'yahoo', 'accepts'],
  ['*.mx.aol.com', 'AOL', 'consumer', 'aol', 'accepts'],
  ['*.mail.icloud.com', 'iCloud', 'both', 'icloud'],
  ['*.protonmail.ch', 'Proton Mail', 'both', 'protonmail'],
  ['*.messagingengine.com', 'Fastmail', 'both'],
  ['*.zoho.com *.zohomail.com *.zoho.eu *.zoho.in', 'Zoho Mail', 'both', 'zoho'],
  ['mx.yandex.ru', 'Yandex', 'consumer', 'yandex'],
  ['mx.yandex.net', 'Yandex 360', 'business', 'yandex'],
  ['mxs.mail.ru', 'Mail.ru', 'consumer', 'mail-ru'],
  ['emx.mail.ru', 'Mail.ru for business', 'business', 'mail-ru'],
  ['*.gmx.com *.gmx.net', 'GMX', 'consumer'],
  ['*.mail.com', 'mail.com', 'consumer'],
  ['mx*.qq.com', 'QQ Mail', 'consumer', 'qq'],
  ['mxbiz*.qq.com', 'Tencent Exmail', 'business', 'tencent'],
  ['*.netease.com', 'NetEase (163, 126)', 'consumer', 'netease'],
  ['*.mxhichina.com *.aliyun.com', 'Alibaba Mail', 'business', 'alibaba'],
  ['*.139.com', 'China Mobile Mail', 'consumer'],
  ['*.emailsrvr.com', 'Rackspace Email', 'business', 'rackspace'],
  ['*.privateemail.com', 'Namecheap Private Email', 'business', 'namecheap'],
  ['*.registrar-servers.com', 'Namecheap forwarding', 'forwarding', 'namecheap'],
  ['*.secureserver.net', 'GoDaddy Email', 'business', 'godaddy'],
  ['*.hostedemail.com', 'OpenSRS / Hover', 'business', 'opensrs'],
  ['mail.gandi.net *.mail.gandi.net', 'Gandi Mail', 'business', 'gandi'],
  ['*.ovh.net *.mail.ovh.*', 'OVH Mail', 'business', 'ovh'],
  ['*.1and1.com *.1and1.co.uk *.1and1.fr *.ionos.* *.kundenserver.de', 'IONOS', 'business'],
  ['*.migadu.com', 'Migadu', 'business'],
  ['*.titan.email', 'Titan', 'business'],
  ['*.hostinger.com *.hostinger.in', 'Hostinger Email', 'business', 'hostinger'],
  ['*.dreamhost.com', 'DreamHost', 'business'],
  ['*.one.com', 'one.com', 'business'],
  ['*.mxroute.com *.mxlogin.com', 'MXroute', 'business'],
  ['mail.tutanota.de', 'Tuta', 'both'],
  ['*.mailbox.org', 'mailbox.org', 'both'],
  ['mx.runbox.com', 'Runbox', 'both'],
  ['*.pobox.com', 'Pobox', 'consumer'],
  ['mx.soverin.net', 'Soverin', 'business'],
  ['mail.rediffmailpro.com', 'Rediffmail', 'business'],
  ['mx.rediffmail.rediff.akadns.net', 'Rediffmail', 'consumer'],
  ['mail.h-email.net', 'h-email (parking)', 'parked', 'h-email'],
  ['*.123-reg.co.uk', '123 Reg', 'business'],
  ['*.netsolmail.net', 'Network Solutions', 'business'],
  ['mx.easymail.ca', 'easyDNS', 'business'],
  ['*.icewarp.com', 'IceWarp', 'business'],
  ['*.larksuite.com *.feishu.cn', 'Lark / Feishu', 'business', 'lark'],
  ['*.pphosted.com', 'Proofpoint (enterprise)', 'filter', 'proofpoint', 'accepts'],
  ['*.ppe-hosted.com', 'Proofpoint (essentials)', 'filter', 'proofpoint', 'accepts'],
  ['*.mimecast.com *.mimecast.co.za', 'Mimecast', 'filter', 'mimecast', 'defers'],
  ['*.barracudanetworks.com', 'Barracuda', 'filter', 'barracuda', 'accepts'],
  ['*.messagelabs.com *.inboundmx.com', 'Symantec / Broadcom Email Security', 'filter', 'symantec', 'accepts'],
  ['*.iphmx.com', 'Cisco Secure Email', 'filter', 'cisco', 'accepts'],
  ['*.mailcontrol.com', 'Forcepoint', 'filter', 'forcepoint', 'accepts'],
  ['*.fireeyecloud.com', 'Trellix (FireEye)', 'filter', 'trellix', 'accepts'],
  ['*.mxlogic.net', 'McAfee MXLogic', 'filter', 'mxlogic'],
  ['*.arsmtp.com', 'AppRiver (Zix)', 'filter', 'appriver'],
  ['*.ctmail.com *.expurgate.net', 'Cyren', 'filter', 'cyren'],
  ['*.spamexperts.com *.spamexperts.eu *.spamexperts.net *.antispamcloud.com', 'SpamExperts / N-able', 'filter', 'spamexperts', 'defers'],
  ['mailspamprotection.com *.mailspamprotection.com', 'SiteGround filter', 'filter', 'siteground'],
  ['*.hornetsecurity.com', 'Hornetsecurity', 'filter'],
  ['*.trendmicro.*', 'Trend Micro', 'filter'],
  ['*.sophos.com', 'Sophos', 'filter'],
  ['*.mx.cloudflare.net', 'Cloudflare Email Routing', 'forwarding', 'cloudflare'],
  ['inbound-smtp.*.amazonaws.com', 'Amazon SES / WorkMail', 'api', 'amazon'],
  ['*.mailgun.org', 'Mailgun', 'api', 'mailgun', 'accepts'],
  ['mx.sendgrid.net', 'SendGrid inbound', 'api', 'sendgrid', 'accepts'],
  ['inbound.postmarkapp.com', 'Postmark inbound', 'api', 'postmark', 'accepts'],
  ['*.mandrillapp.com', 'Mandrill inbound', 'api', 'mandrill', 'accepts'],
  ['*.improvmx.com', 'ImprovMX', 'forwarding'],
  ['*.forwardemail.net', 'Forward Email', 'forwarding'],
  ['mx*.simplelogin.co', 'SimpleLogin', 'forwarding'],
]
