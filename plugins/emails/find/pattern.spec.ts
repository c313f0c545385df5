import { expect } from 'chai'
import { lineServer } from '../../../core/sdk/testkit/line-servers.js'
import { FindWorld } from '../../../test/support/find-world.js'

const person = (given: string, family: string, email: string): string =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Person', givenName: given, familyName: family, email })}</script>`

describe('emails.find: patterns at the mail server', function () {
  this.timeout(120_000)
  let world: FindWorld

  before(
    async () =>
      (world = await FindWorld.start({ file: 'plugins:\n  emails:\n    ehlo_name: probe.test\n    mail_from: probe@probe.test\n' })),
  )
  after(() => world?.close())

  it('the mailbox that exists, asked for on one connection, without DATA', async () => {
    const server = await world.domain('acme.test', { mail: { mailboxes: { 'a.lovelace@acme.test': 'exists' } } })
    expect(await world.find('Ada Lovelace@acme.test')).to.deep.equal({
      email: 'a.lovelace@acme.test',
      email_type: 'professional',
      confidence: 85,
      verification_status: 'valid',
      first_name: 'Ada',
      last_name: 'Lovelace',
      domain: 'acme.test',
    })
    expect(server?.connections()).to.equal(1)
    const [ehlo, mail, nobody, ...rest] = server?.lines ?? []
    expect([ehlo, mail]).to.deep.equal(['EHLO probe.test', 'MAIL FROM:<probe@probe.test>'])
    expect(nobody).to.match(/^RCPT TO:<x[0-9a-f]{19}@acme\.test>$/)
    expect(rest).to.deep.equal([
      ...['ada.lovelace', 'alovelace', 'ada', 'adalovelace', 'a.lovelace'].map((local) => `RCPT TO:<${local}@acme.test>`),
      'RSET',
    ])
  })

  it('a kept answer asks nobody', async () => {
    const server = await world.domain('kept.test', { mail: { mailboxes: { 'ada.lovelace@kept.test': 'exists' } } })
    await world.find('Ada Lovelace@kept.test')
    const lines = server?.lines.length
    expect((await world.find('Ada Lovelace@kept.test')).email).to.equal('ada.lovelace@kept.test')
    expect(server?.lines.length).to.equal(lines)
  })

  it('a first name alone may be somebody else', async () => {
    await world.domain('small.test', { mail: { mailboxes: { 'ada@small.test': 'exists' } } })
    expect(await world.find('Ada Lovelace@small.test')).to.include({
      email: 'ada@small.test',
      verification_status: 'valid',
      confidence: 75,
    })
  })

  it('none of the usual addresses exists: no result, and it is free', async () => {
    await world.domain('other.test', { mail: { mailboxes: { 'bob@other.test': 'exists' } } })
    const before = await world.gateway.money()
    expect(await world.refused('Ada Lovelace@other.test')).to.equal('no-result')
    expect((await world.gateway.money()).balance).to.equal(before.balance)
  })

  it('a domain that takes mail for any name: the best pattern, at most 50', async () => {
    const server = await world.domain('any.test', { mail: { catchAll: true } })
    expect(await world.find('Ada Lovelace@any.test')).to.include({
      email: 'ada.lovelace@any.test',
      verification_status: 'catch-all',
      confidence: 30,
    })
    expect(server?.lines.filter((line) => line.startsWith('RCPT')).length).to.equal(1)
  })

  it('patterns that the site shows come first', async () => {
    const pages = {
      '/': '<a href="mailto:info@shown.test">Mail</a>',
      '/team': person('Grace', 'Hopper', 'ghopper@shown.test') + person('Alan', 'Turing', 'mailto:aturing@shown.test'),
    }
    const server = await world.domain('shown.test', {
      mail: { mailboxes: { 'alovelace@shown.test': 'exists', 'ada.lovelace@shown.test': 'exists' } },
      pages,
    })
    expect(await world.find('Ada Lovelace@shown.test')).to.include({ email: 'alovelace@shown.test', confidence: 95 })
    expect(server?.lines.filter((line) => line.startsWith('RCPT')).length).to.equal(2)
    await world.domain('shown-any.test', { mail: { catchAll: true }, pages: { '/': 'h@shown-any.test grace_hopper@shown-any.test' } })
    expect(await world.find('Ada Lovelace@shown-any.test')).to.include({ email: 'ada_lovelace@shown-any.test', confidence: 40 })
  })

  it('nothing can be confirmed: only what was seen at this domain is answered', async () => {
    await world.domain('closed.test', { mail: null })
    expect(await world.refused('Ada Lovelace@closed.test')).to.equal('no-result')
    await world.domain('closed-shown.test', { mail: null, pages: { '/impressum': 'Redaktion: grace.hopper@closed-shown.test', '/': 'x' } })
    expect(await world.find('Ada Lovelace@closed-shown.test')).to.include({
      email: 'ada.lovelace@closed-shown.test',
      verification_status: 'unknown',
      confidence: 40,
    })
    await world.domain('closed-own.test', { mail: null, pages: { '/': 'Ada: lovelace-a@closed-own.test, a.lovelace@closed-own.test' } })
    expect(await world.find('Ada Lovelace@closed-own.test')).to.include({ email: 'a.lovelace@closed-own.test', confidence: 50 })
  })

  it('greylisting and blocklists are no refusals', async () => {
    await world.domain('grey.test', { mail: { greylisting: true } })
    expect(await world.refused('Ada Lovelace@grey.test')).to.equal('no-result')
    await world.domain('grey-shown.test', { mail: { greylisting: true }, pages: { '/': 'grace.hopper@grey-shown.test' } })
    expect(await world.find('Ada Lovelace@grey-shown.test')).to.include({ verification_status: 'unknown', confidence: 40 })
    await world.domain('listed.test', { mail: { blocklisted: 'mail' }, pages: { '/': 'grace.hopper@listed.test' } })
    expect(await world.find('Ada Lovelace@listed.test')).to.include({ verification_status: 'unknown' })
  })

  it('a server that hangs up after some refusals: what it refused is not answered', async () => {
    let asked = 0
    const mail = await lineServer(
      (line) => {
        if (!line.startsWith('RCPT')) return '250 ok\r\n'
        return ++asked > 2 ? null : '550 5.1.1 no such user\r\n'
      },
      { onOpen: '220 mx\r\n' },
    )
    await world.domain('short.test', { mail, pages: { '/': 'grace.hopper@short.test' } })
    expect(await world.refused('Ada Lovelace@short.test')).to.equal('no-result')
  })

  it('a domain without mail', async () => {
    world.zones['null.test'] = { MX: [{ preference: 0, exchange: '.' }] }
    expect(await world.refused('Ada Lovelace@null.test')).to.equal('no-result')
    expect(await world.refused('Ada Lovelace@nothing.test')).to.equal('no-result')
  })

  it('a mail server at an address inside is not connected to', async () => {
    world.zones['inside.test'] = { MX: [{ preference: 10, exchange: 'mx.inside.test' }] }
    world.zones['mx.inside.test'] = { A: ['10.0.0.8'] }
    expect(await world.refused('Ada Lovelace@inside.test')).to.equal('no-result')
  })

  it('names in other letters', async () => {
    await world.domain('letters.test', {
      mail: {
        mailboxes: {
          'juergen.mueller@letters.test': 'exists',
          'ysmirnova@letters.test': 'exists',
          'vincent.vangogh@letters.test': 'exists',
          'sobrien@letters.test': 'exists',
        },
      },
    })
    for (const [name, local] of [
      ['Jürgen Müller', 'juergen.mueller'],
      ['Юлия Смирнова', 'ysmirnova'],
      ['Vincent van Gogh', 'vincent.vangogh'],
      ['Sinéad O’Brien', 'sobrien'],
    ])
      expect((await world.find(`${String(name)}@letters.test`)).email).to.equal(`${String(local)}@letters.test`)
    expect(await world.refused('محمد علي@letters.test')).to.equal('no-result')
  })
})
