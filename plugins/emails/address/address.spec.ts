import { expect } from 'chai'
import { mailProviderOf } from '../mail-hosts/provider-of.js'
import { parseAddress } from './parse.js'
import { isRoleAccount } from './role.js'
import { meantDomain } from './suggest.js'

describe('emails: the grammar of addresses', () => {
  it('takes what RFC 5321 and RFC 6531 take, with the domain in one form', () => {
    const good: Readonly<Record<string, string>> = {
      'ada@example.com': 'ada@example.com',
      'Ada.Lovelace+news@Example.COM': 'Ada.Lovelace+news@example.com',
      "!#$%&'*+-/=?^_`{|}~@example.com": "!#$%&'*+-/=?^_`{|}~@example.com",
      '"ada lovelace"@example.com': '"ada lovelace"@example.com',
      '"a@b"@example.com': '"a@b"@example.com',
      '"a\\"b\\\\"@example.com': '"a\\"b\\\\"@example.com',
      '"(no comment)"@example.com': '"(no comment)"@example.com',
      'jörg@bücher.example': 'jörg@xn--bcher-kva.example',
      'jo\u0308rg@example.com': 'jörg@example.com',
      '用户@例子.测试': '用户@xn--fsqu00a.xn--0zwm56d',
      'ada@xn--bcher-kva.example': 'ada@xn--bcher-kva.example',
      'a@b.co': 'a@b.co',
      [`${'a'.repeat(64)}@example.com`]: `${'a'.repeat(64)}@example.com`,
      [`ada@${'a'.repeat(63)}.example`]: `ada@${'a'.repeat(63)}.example`,
    }
    for (const [text, address] of Object.entries(good)) expect(parseAddress(text), text).to.include({ address })
    expect(parseAddress('jörg@example.com')).to.include({ international: true, local: 'jörg', domain: 'example.com' })
    expect(parseAddress('joerg@bücher.example')).to.include({ international: false })
  })

  it('says why it refuses the rest', () => {
    const bad: Readonly<Record<string, string>> = {
      ada: 'there is no @',
      '@example.com': 'there is nothing before the @',
      'ada@': 'there is no domain behind the @',
      'a@b@example.com': 'there is more than one @',
      '"a@example.com': 'the quotes of the local part do not end before the @',
      '""@example.com': 'there is nothing between the quotes',
      'ada(x)@example.com': 'comments in parentheses are not taken',
      'ada@example.com(x)': 'comments in parentheses are not taken',
      '.ada@example.com': 'the local part begins or ends with a dot',
      'a..b@example.com': 'the local part has two dots in a row',
      'a b@example.com': 'the local part has characters that are not allowed without quotes',
      'a\u200bb@example.com': 'the local part has characters that are not allowed without quotes',
      '"a\u0001"@example.com': 'the quoted local part has characters that are not allowed there',
      'ada@localhost': 'the domain has no dot',
      'ada@example.com.': 'the domain ends with a dot',
      'ada@a..com': 'the domain has two dots in a row, or begins with one',
      'ada@127.0.0.1': 'the domain ends in a number, as an IP address does',
      'ada@[127.0.0.1]': 'an address in brackets stands in place of a domain, to which mail is not sent by name',
      'ada@exa_mple.com': 'the domain has characters that no domain has',
      [`${'a'.repeat(65)}@example.com`]: 'the local part is longer than 64 octets',
      [`${'ä'.repeat(33)}@example.com`]: 'the local part is longer than 64 octets',
      [`ada@${'a'.repeat(64)}.com`]: 'a label of the domain is longer than 63 octets',
      [`ada@${'a.'.repeat(127)}com`]: 'the domain is longer than 255 octets',
      [`${'a'.repeat(64)}@${'a.'.repeat(96)}com`]: 'the address is longer than 254 octets',
    }
    for (const [text, why] of Object.entries(bad)) expect(parseAddress(text), text).to.deep.equal({ why })
  })

  it('knows mailboxes of a function', () => {
    for (const local of ['info', 'Sales', 'support+de', 'no-reply', 'postmaster', '"admin"'])
      expect(isRoleAccount(local), local).to.equal(true)
    for (const local of ['ada', 'information.desk', 'adminda', 'sale']) expect(isRoleAccount(local), local).to.equal(false)
  })
})

describe('emails: what was meant', () => {
  it('domains of mail services that are mistyped', () => {
    const meant: Readonly<Record<string, string>> = {
      'gmial.com': 'gmail.com',
      'gmai.com': 'gmail.com',
      'gmail.con': 'gmail.com',
      'gmail.co': 'gmail.com',
      'gmail.cm': 'gmail.com',
      'gmaill.com': 'gmail.com',
      'hotmial.con': 'hotmail.com',
      'hotmal.com': 'hotmail.com',
      'hotnail.co.uk': 'hotmail.co.uk',
      'yaho.com': 'yahoo.com',
      'yahooo.fr': 'yahoo.fr',
      'outlok.com': 'outlook.com',
      'icluod.com': 'icloud.com',
      'gmx.dee': 'gmx.de',
      't-onlin.de': 't-online.de',
      'protonmial.com': 'protonmail.com',
      'acme.con': 'acme.com',
      'acme.ogr': 'acme.org',
    }
    for (const [domain, wanted] of Object.entries(meant)) expect(meantDomain(domain, { mayExist: false }), domain).to.equal(wanted)
  })

  it('nothing of domains that look right, short ones and those below other suffixes too', () => {
    for (const domain of [
      'gmail.com',
      'yahoo.co.jp',
      'acme.com',
      'example.org',
      'web.dk',
      'gmx.fr',
      'me.net',
      'live.org',
      'mail.de',
      'maul.com',
      'acme.io',
    ])
      expect(meantDomain(domain, { mayExist: false }), domain).to.equal(null)
  })

  it('nothing of a domain that takes mail, unless it is a well-known typing error', () => {
    for (const domain of [
      'yandex.net',
      'amail.com',
      'gmaiol.net',
      'hotmall.com',
      'fastmall.com',
      'outlook.co',
      'acme.con',
      'maul.ru',
      'comcats.net',
    ])
      expect(meantDomain(domain, { mayExist: true }), domain).to.equal(null)
    for (const [domain, wanted] of [
      ['gmial.com', 'gmail.com'],
      ['gmail.co', 'gmail.com'],
      ['hotmal.com', 'hotmail.com'],
      ['yahooo.com', 'yahoo.com'],
    ] as const)
      expect(meantDomain(domain, { mayExist: true }), domain).to.equal(wanted)
  })
})

describe('emails: who takes mail', () => {
  it('by the preferred host, the most specific pattern first', () => {
    const ids: Readonly<Record<string, string | undefined>> = {
      'gmail-smtp-in.l.google.com': 'google',
      'alt1.gmail-smtp-in.l.google.com.': 'google',
      'ASPMX.L.GOOGLE.COM': 'g-suite',
      'alt2.aspmx.l.google.com': 'g-suite',
      'acme-com.mail.protection.outlook.com': 'microsoft',
      'outlook-com.olc.protection.outlook.com': 'microsoft',
      'mta5.am0.yahoodns.net': 'yahoo',
      'mx-biz.mail.am0.yahoodns.net': 'yahoo',
      'mail.protonmail.ch': 'protonmail',
      'in1-smtp.messagingengine.com': 'fastmail',
      'mxbiz1.qq.com': 'tencent',
      'mx3.qq.com': 'qq',
      'mx1.mail.ovh.net': 'ovh',
      'mx00.ionos.de': 'ionos',
      'inbound-smtp.us-east-1.amazonaws.com': 'amazon',
      'eu-smtp-inbound-1.mimecast.com': 'mimecast',
      'mx1.acme.test': undefined,
      'google.com.evil.test': undefined,
      '': undefined,
    }
    for (const [host, id] of Object.entries(ids)) expect(mailProviderOf([host])?.id, host).to.equal(id)
    expect(mailProviderOf(['mx.acme.test', 'mx.runbox.com'])).to.include({ label: 'Runbox', kind: 'both' })
    expect(mailProviderOf(['mx.mimecast.com', 'aspmx.l.google.com'])).to.include({ kind: 'filter', habit: 'defers' })
    expect(mailProviderOf([])).to.equal(null)
    expect(mailProviderOf([`${'a.'.repeat(5_000)}mail.ovh.`])).to.equal(null)
  })
})
