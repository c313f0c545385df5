import { registrant, registrar, samplesOf, type WhoisSample } from './facts.js'

/** Registries of Eastern Europe and Turkey. */
export function easternSamples(): WhoisSample[] {
  return [...russia(), ...poland(), ...bohemia(), ...ukraine(), ...turkey()]
}

function russia(): WhoisSample[] {
  const of = samplesOf('whois.tcinet.ru', 'acme.ru')
  const head = ['% TCI Whois Service. Terms of use:', '% https://tcinet.ru/documents/whois_ru_rf.pdf (in Russian)', '']
  const record = (person: readonly string[], state: string): readonly string[] => [
    ...head,
    'domain:        ACME.RU',
    'nserver:       ns1.acme.ru. 192.0.2.1',
    'nserver:       dns.host.example.',
    `state:         ${state}`,
    ...person,
    'registrar:     OBRAZEC-RU',
    'admin-contact: https://www.obrazec.example/whois',
    'created:       1997-09-23T09:45:07Z',
    'paid-till:     2026-09-30T21:00:00Z',
    'free-date:     2026-11-01',
    'source:        TCI',
    '',
    'Last updated on 2026-02-01T08:06:30Z',
  ]
  const known = {
    registrar: registrar('OBRAZEC-RU'),
    created: '1997-09-23T09:45:07Z',
    expires: '2026-09-30T21:00:00Z',
    name_servers: ['ns1.acme.ru', 'dns.host.example'],
  }
  return [
    of.registered('record', record(['org:           LLC "Obrazec"', 'taxpayer-id:   7700000000'], 'REGISTERED, DELEGATED, VERIFIED'), {
      ...known,
      status: ['ok'],
      registrant: registrant({ organization: 'LLC "Obrazec"' }),
    }),
    of.registered(
      'record of a person, without delegation',
      record(['person:        Private Person'], 'REGISTERED, NOT DELEGATED, UNVERIFIED'),
      { ...known, status: ['inactive'] },
    ),
    of.free(...head, 'No entries found for the selected source(s).', '', 'Last updated on 2026-02-01T08:06:30Z'),
    of.busy('% You have exceeded allowed connection rate. Query limit exceeded.'),
  ]
}

function poland(): WhoisSample[] {
  const of = samplesOf('whois.dns.pl', 'acme.pl')
  const foot = [
    '',
    'WHOIS database responses: https://dns.pl/en/whois',
    '',
    'WHOIS displays data with a delay not exceeding 15 minutes in relation to the .pl Registry system',
  ]
  return [
    of.registered(
      'record',
      [
        '',
        'DOMAIN NAME:           acme.pl',
        'registrant type:       organization',
        'nameservers:           ns1.acme.pl. [192.0.2.1]',
        '                       dns.host.example.',
        'created:               1999.01.02 12:00:00',
        'last modified:         2025.03.04 10:11:12',
        'renewal date:          2027.01.02 12:00:00',
        '',
        'no option',
        '',
        'dnssec:                Signed',
        'DS:                    12345 13 2 ABCDEF',
        '',
        '',
        'REGISTRAR:',
        'Przyklad Nazwy sp. z o.o.',
        'ul. Wzorowa 1',
        '00-001 Warszawa',
        'Polska/Poland',
        '+48.555501000',
        'kontakt@nazwy.example',
        'https://www.nazwy.example',
        ...foot,
      ],
      {
        registrar: registrar('Przyklad Nazwy sp. z o.o.', { url: 'https://www.nazwy.example' }),
        created: '1999-01-02',
        updated: '2025-03-04',
        expires: '2027-01-02',
        name_servers: ['ns1.acme.pl', 'dns.host.example'],
        dnssec: true,
      },
    ),
    of.free('', 'No information available about domain name acme.pl in the Registry NASK database.', ...foot),
    of.busy('request limit exceeded for 192.0.2.9'),
  ]
}

function bohemia(): WhoisSample[] {
  const cz = samplesOf('whois.nic.cz', 'acme.cz')
  const head = [
    '%  (c) 2006-2026 CZ.NIC, z.s.p.o.',
    '% ',
    '% Intended use of supplied data and information',
    '',
    '% Whoisd Server Version: 3.15.0',
    '% Timestamp: Sun Feb 01 08:00:00 2026',
    '',
  ]
  const sk = samplesOf('whois.sk-nic.sk', 'acme.sk')
  const hu = samplesOf('whois.nic.hu', 'acme.hu')
  return [
    cz.registered(
      'record',
      [
        ...head,
        'domain:       acme.cz',
        'registrant:   AE-UKAZKA',
        'admin-c:      BO-UKAZKA',
        'nsset:        NSS-UKAZKA',
        'keyset:       KEYS-UKAZKA',
        'registrar:    REG-UKAZKA',
        'status:       Sponsoring registrar change forbidden',
        'registered:   21.10.1996 02:00:00',
        'changed:      05.06.2025 12:13:14',
        'expire:       28.10.2026',
        '',
        'contact:      AE-UKAZKA',
        'org:          Ukazka a.s.',
        'name:         Ada Example',
        'address:      Vzorova 1',
        'address:      CZ',
        'registrar:    REG-OTHER',
        'created:      10.08.2001 22:13:00',
        '',
        'nsset:        NSS-UKAZKA',
        'nserver:      ns1.acme.cz (192.0.2.1, 2001:db8::1)',
        'nserver:      dns.host.example',
        'tech-c:       BO-UKAZKA',
        'registrar:    REG-UKAZKA',
        'created:      04.02.2008 11:12:13',
        '',
        'contact:      BO-UKAZKA',
        'name:         Bo Sample',
        'created:      11.08.2001 22:13:00',
        '',
        'keyset:       KEYS-UKAZKA',
        'dnskey:       257 3 13 LM4zvjUgZi2XZK',
      ],
      {
        registrar: registrar('REG-UKAZKA'),
        created: '1996-10-21',
        updated: '2025-06-05',
        expires: '2026-10-28',
        status: ['clientTransferProhibited'],
        name_servers: ['ns1.acme.cz', 'dns.host.example'],
        dnssec: true,
        registrant: registrant({ name: 'Ada Example', organization: 'Ukazka a.s.' }),
      },
    ),
    cz.free(...head, '%ERROR:101: no entries found', '% ', '% No entries found.', '%'),
    cz.busy('% Your connection limit exceeded. Please slow down and try again later.'),
    sk.registered(
      'record',
      [
        'Domain:                       acme.sk',
        'Registrant:                   MORE-0001',
        'Admin Contact:                MORE-0001',
        'Tech Contact:                 HOST-0002',
        'Registrar:                    NAZV-0003',
        'Created:                      2003-02-13',
        'Updated:                      2025-01-21',
        'Valid Until:                  2027-01-13',
        'Nameserver:                   ns1.acme.sk',
        'Nameserver:                   dns.host.example',
        'EPP Status:                   ok',
        'DNSSEC:                       Unsigned',
        '',
        'Registrar:                    NAZV-0003',
        'Name:                         Nazvy Priklad',
        'Organization:                 Nazvy Priklad s.r.o.',
        'Phone:                        +421.555501000',
        'Email:                        podpora@nazvy.example',
        'Country Code:                 SK',
        'Created:                      2017-09-01',
        '',
        'Contact:                      MORE-0001',
        'Name:                         Ada Example',
        'Organization:                 Priklad a.s.',
        'Country Code:                 SK',
        'Created:                      2017-09-02',
      ],
      {
        registrar: registrar('Nazvy Priklad s.r.o.'),
        created: '2003-02-13',
        updated: '2025-01-21',
        expires: '2027-01-13',
        status: ['ok'],
        name_servers: ['ns1.acme.sk', 'dns.host.example'],
        dnssec: false,
        registrant: registrant({ name: 'Ada Example', organization: 'Priklad a.s.', country: 'SK' }),
      },
    ),
    sk.free('Domain not found.'),
    hu.registered(
      'record',
      [
        '% Whois server 4.2 serving the hu ccTLD',
        '',
        'domain:         acme.hu',
        'record created: 1998-05-06',
        'Please query our webpage for more information.',
      ],
      { created: '1998-05-06' },
    ),
    hu.free('% Whois server 4.2 serving the hu ccTLD', '', 'No match'),
  ]
}

function ukraine(): WhoisSample[] {
  const of = samplesOf('whois.ua', 'acme.com.ua')
  const head = [
    '% request from 192.0.2.9',
    '% This is the Ukrainian Whois query server #B.',
    '% The Whois is subject to Terms of use',
    '% See https://hostmaster.ua/services/',
    '%',
  ]
  return [
    of.registered(
      'record',
      [
        ...head,
        '',
        'domain:           acme.com.ua',
        'dom-public:       NO',
        'license:          123456',
        'registrant:       ua-reg-1',
        'mnt-by:           ua.zrazok',
        'nserver:          ns1.acme.com.ua',
        'nserver:          dns.host.example',
        'status:           clientTransferProhibited',
        'status:           ok',
        'created:          2002-12-04 00:00:00+02',
        'modified:         2025-10-24 18:05:53+03',
        'expires:          2026-12-04 00:00:00+02',
        'source:           UAEPP',
        '',
        '% Registrar:',
        '% ==========',
        'registrar:        ua.zrazok',
        'organization:     LLC "Zrazok Imena"',
        'organization-loc: TOV "Zrazok Imena"',
        'url:              https://imena.example',
        'city:             Kyiv',
        'country:          UA',
        'abuse-email:      abuse@imena.example',
        'abuse-phone:      +380.555501000',
        'source:           UAEPP',
        '',
        '% Registrant:',
        '% ===========',
        'contact-id:       ua-reg-1',
        'person:           not published',
        'e-mail:           not published',
        'organization:     Zrazok Works',
        'country:          UA',
        'created:          2013-01-01 00:00:00+02',
        'source:           UAEPP',
        '',
        '% Administrative Contacts:',
        '% =======================',
        'person:           Bo Sample',
        'source:           UAEPP',
      ],
      {
        registrar: registrar('LLC "Zrazok Imena"', {
          url: 'https://imena.example',
          abuse_email: 'abuse@imena.example',
          abuse_phone: '+380.555501000',
        }),
        created: '2002-12-03T22:00:00Z',
        updated: '2025-10-24T15:05:53Z',
        expires: '2026-12-03T22:00:00Z',
        status: ['clientTransferProhibited', 'ok'],
        name_servers: ['ns1.acme.com.ua', 'dns.host.example'],
        registrant: registrant({ organization: 'Zrazok Works', country: 'UA' }),
      },
    ),
    of.free(...head, '', '% No entries found for acme.com.ua'),
    of.busy('% Query rate limit exceeded'),
  ]
}

function turkey(): WhoisSample[] {
  const of = samplesOf('whois.trabis.gov.tr', 'acme.com.tr')
  return [
    of.registered(
      'record',
      [
        '** Domain Name: acme.com.tr',
        'Domain Status: Active',
        'Frozen Status: -',
        'Transfer Status: The domain is LOCKED to transfer.',
        '',
        '** Registrant:',
        '   Ornek Isler A.S.',
        '   Hidden upon user request',
        '   Hidden upon user request',
        '   ',
        '',
        '',
        '** Registrar:',
        'NIC Handle\t\t: orn1',
        'Organization Name\t: Ornek Alan Adlari A.S.',
        'Address\t\t\t: Ornek Sok. 1',
        'Phone\t\t\t: +90.555501000',
        'Fax\t\t\t: ',
        '',
        '',
        '** Domain Servers:',
        'ns1.acme.com.tr 192.0.2.1',
        'dns.host.example',
        '',
        '** Additional Info:',
        'Created on..............: 2001-Aug-23.',
        'Expires on..............: 2026-Aug-22.',
        '',
        '',
        '** Whois Server:',
        'Last Update Time: 2026-02-01T08:00:00+03:00',
      ],
      {
        registrar: registrar('Ornek Alan Adlari A.S.'),
        created: '2001-08-23',
        expires: '2026-08-22',
        status: ['ok'],
        name_servers: ['ns1.acme.com.tr', 'dns.host.example'],
        registrant: registrant({ name: 'Ornek Isler A.S.' }),
      },
    ),
    of.free('*** No match found for "acme.com.tr"'),
    of.free('No match found for "acme.com.tr"'),
    of.busy('Query limit exceeded for your address'),
  ]
}
