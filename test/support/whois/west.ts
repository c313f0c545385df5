import { registrant, registrar, samplesOf, type WhoisSample } from './facts.js'

/** Registries of Britain, Germany and France, each in its own form. */
export function westernSamples(): WhoisSample[] {
  return [...britain(), ...germany(), ...france()]
}

function britain(): WhoisSample[] {
  const of = samplesOf('whois.nic.uk', 'acme.co.uk')
  const terms = [
    '',
    '    WHOIS lookup made at 10:11:12 01-Feb-2026',
    '',
    '-- ',
    'This WHOIS information is provided for free by Nominet UK.',
    'It may not be used for high-volume queries; not found names may be reserved.',
  ]
  const record = (holder: readonly string[], status: string): readonly string[] => [
    '',
    '    Domain name:',
    '        acme.co.uk',
    '',
    ...holder,
    '    Data validation:',
    "        Nominet was able to match the registrant's name and address on 10-Dec-2012",
    '',
    '    Registrar:',
    '        Sample Domains Ltd [Tag = SAMPLE-UK]',
    '        URL: https://www.sample.example',
    '',
    '    Relevant dates:',
    '        Registered on: 03-Feb-1999',
    '        Expiry date:  03-Feb-2027',
    '        Last updated:  12-Jan-2025',
    '',
    '    Registration status:',
    `        ${status}`,
    '',
    '    Name servers:',
    '        ns1.acme.co.uk            192.0.2.1  2001:db8::1',
    '        dns.host.example',
    ...terms,
  ]
  const known = {
    registrar: registrar('Sample Domains Ltd', { url: 'https://www.sample.example' }),
    created: '1999-02-03',
    updated: '2025-01-12',
    expires: '2027-02-03',
    name_servers: ['ns1.acme.co.uk', 'dns.host.example'],
  }
  return [
    of.registered('record', record([], 'Registered until expiry date.'), { ...known, status: ['ok'] }),
    of.registered(
      'record with its registrant',
      record(
        [
          '    Registrant:',
          '        Example Works Ltd',
          '',
          '    Registrant type:',
          '        UK Limited Company, (Company number: 1234567)',
          '',
        ],
        'Suspended.',
      ),
      {
        ...known,
        status: ['suspended'],
        registrant: registrant({ name: 'Example Works Ltd' }),
      },
    ),
    of.free('', '    No match for "acme.co.uk".', '', '    This domain name has not been registered.', ...terms),
    of.busy('', '    The WHOIS query quota for 192.0.2.1 has been exceeded', '    and will be replenished in 25 seconds.', ...terms),
  ]
}

function germany(): WhoisSample[] {
  const of = samplesOf('whois.denic.de', 'acme.de')
  const terms = [
    '% Restricted rights.',
    '%',
    '% Terms and Conditions of Use',
    '%',
    '% The above data may only be used within the scope of technical or',
    '% administrative necessities of Internet operation.',
    '%',
    '',
  ]
  return [
    of.registered(
      'record',
      [
        ...terms,
        'Domain: acme.de',
        'Nserver: ns1.acme.de 192.0.2.1 2001:db8::1',
        'Nserver: dns.host.example',
        'Status: connect',
        'Changed: 2024-03-01T12:30:00+01:00',
      ],
      { updated: '2024-03-01T11:30:00Z', status: ['ok'], name_servers: ['ns1.acme.de', 'dns.host.example'] },
    ),
    of.registered(
      'record with a key, in transit',
      [
        ...terms,
        'Domain: acme.de',
        'Nserver: dns.host.example',
        'Dnskey: 257 3 8 AwEAAbCd',
        'Status: redemptionPeriod',
        'Changed: 2024-07-01T00:30:00+02:00',
      ],
      { updated: '2024-06-30T22:30:00Z', status: ['redemptionPeriod'], name_servers: ['dns.host.example'], dnssec: true },
    ),
    of.free('Domain: acme.de', 'Status: free'),
    of.busy('% Error: 55000000002 Connection refused; access control limit exceeded'),
    of.unclear('a name it does not take', 'Domain: acme.de', 'Status: invalid'),
  ]
}

function france(): WhoisSample[] {
  const of = samplesOf('whois.nic.fr', 'acme.fr')
  const head = [
    '%%',
    '%% This is the AFNIC Whois server.',
    '%%',
    '%% complete date format: YYYY-MM-DDThh:mm:ssZ',
    '%%',
    '%% Rights restricted by copyright.',
    '%%',
    '',
  ]
  const contact = (handle: string, lines: readonly string[]): readonly string[] => [
    '',
    `nic-hdl:                       ${handle}`,
    ...lines,
    'changed:                       2020-01-01T00:00:00Z',
    'source:                        FRNIC',
  ]
  const record = (holder: readonly string[]): readonly string[] => [
    ...head,
    'domain:                        acme.fr',
    'status:                        ACTIVE',
    'eppstatus:                     active',
    'hold:                          NO',
    'holder-c:                      H1-FRNIC',
    'admin-c:                       A1-FRNIC',
    'tech-c:                        T1-FRNIC',
    'registrar:                     EXEMPLE NOMS SAS',
    'Expiry Date:                   2026-11-05T23:00:00Z',
    'created:                       1995-01-02T23:00:00Z',
    'last-update:                   2025-10-07T12:13:14Z',
    'source:                        FRNIC',
    '',
    'nserver:                       ns1.acme.fr [192.0.2.1]',
    'nserver:                       dns.host.example',
    'key1-tag:                      2371',
    'key1-algo:                     13 [ECDSAP256SHA256]',
    'source:                        FRNIC',
    '',
    'registrar:                     EXEMPLE NOMS SAS',
    'address:                       1 rue du Modele',
    'country:                       FR',
    'phone:                         +33.555501000',
    'e-mail:                        support@noms.example',
    'website:                       https://www.noms.example',
    'anonymous:                     No',
    'registered:                    1998-01-01T00:00:00Z',
    'source:                        FRNIC',
    ...contact('T1-FRNIC', [
      'type:                          ORGANIZATION',
      'contact:                       Hosting Example',
      'country:                       FR',
      'e-mail:                        noc@host.example',
    ]),
    ...contact('H1-FRNIC', holder),
  ]
  const known = {
    registrar: registrar('EXEMPLE NOMS SAS', { url: 'https://www.noms.example' }),
    created: '1995-01-02T23:00:00Z',
    updated: '2025-10-07T12:13:14Z',
    expires: '2026-11-05T23:00:00Z',
    status: ['ok'],
    name_servers: ['ns1.acme.fr', 'dns.host.example'],
    dnssec: true,
  }
  return [
    of.registered(
      'record',
      record([
        'type:                          ORGANIZATION',
        'contact:                       Exemple Ateliers',
        'address:                       Exemple Ateliers',
        'country:                       FR',
        'e-mail:                        ada@example.com',
      ]),
      {
        ...known,
        registrant: registrant({ organization: 'Exemple Ateliers', country: 'FR', email: 'ada@example.com' }),
      },
    ),
    of.registered(
      'record of a person',
      record([
        'type:                          PERSON',
        'contact:                       Ano Nymous',
        'registrar:                     EXEMPLE NOMS SAS',
        'anonymous:                     YES',
        'remarks:                       -------------- WARNING --------------',
      ]),
      {
        ...known,
      },
    ),
    of.free(...head, '%% NOT FOUND'),
    of.free(...head, '%% No entries found in the AFNIC Database.'),
    of.busy(...head, '%% Too many requests...', '%% You have exceeded your query limit, please retry later.'),
  ]
}
