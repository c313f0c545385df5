import { expect } from 'chai'
import sinon from 'sinon'
import { ScratchFolder } from '../../../core/files/scratch-folder.js'
import { FindWorld } from '../../../test/support/find-world.js'

const person = (given: string, family: string, email: string): string =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Person', givenName: given, familyName: family, email })}</script>`
const CLOSED = { mail: null } as const

describe('emails.find: what the site of a domain shows', function () {
  this.timeout(120_000)
  let world: FindWorld
  const readOf = (domain: string): number => world.net.pagesRead.filter((path) => path.startsWith(`${domain}/`)).length

  before(async () => (world = await FindWorld.start({ file: 'plugins:\n  emails:\n    ehlo_name: probe.test\n' })))
  after(() => world?.close())
  afterEach(() => sinon.restore())

  it('is not read for a name that has no pattern', async () => {
    await world.domain('unread.test', { mail: { catchAll: true }, pages: { '/': 'grace.hopper@unread.test' } })
    expect(await world.refused('محمد علي@unread.test')).to.equal('no-result')
    expect(readOf('unread.test')).to.equal(0)
  })

  it('is read once for all who are looked for at a registered domain, and at names below it', async () => {
    const pages = { '/': 'grace.hopper@once.test, alan_turing@mail.once.test', '/team': 'x' }
    await world.domain('once.test', { ...CLOSED, pages })
    for (const name of ['mail.once.test', 'a.once.test', 'b.once.test'])
      world.zones[name] = { MX: [{ preference: 1, exchange: 'mx.once.test' }] }
    expect((await world.find('Ada Lovelace@once.test')).email).to.equal('ada.lovelace@once.test')
    const read = readOf('once.test')
    expect(read).to.equal(5)
    expect((await world.find('Kurt Gödel@once.test')).email).to.equal('kurt.goedel@once.test')
    expect((await world.find('Ada Lovelace@mail.once.test')).email).to.equal('ada_lovelace@mail.once.test')
    expect(await world.refused('Ada Lovelace@a.once.test')).to.equal('no-result')
    expect(await world.refused('Ada Lovelace@b.once.test')).to.equal('no-result')
    expect(readOf('once.test')).to.equal(read)
  })

  it('is asked for once in ten minutes where it cannot be read', async () => {
    await world.domain('broken.test', { ...CLOSED, pages: {} })
    for (const name of ['Ada Lovelace', 'Grace Hopper']) expect(await world.refused(`${name}@broken.test`)).to.equal('no-result')
    expect(world.net.pagesRead.filter((path) => path.startsWith('broken.test'))).to.deep.equal(['broken.test/'])
  })

  it('is kept without the names of people: their addresses have the patterns instead', async () => {
    await world.domain('named.test', { ...CLOSED, pages: { '/': person('Grace', 'Hopper', 'Hopper.G@named.test') } })
    expect((await world.find('Ada Lovelace@named.test')).email).to.equal('lovelace.a@named.test')
    // From the cache.
    expect((await world.find('Alan Turing@named.test')).email).to.equal('turing.a@named.test')
    expect(readOf('named.test')).to.equal(5)
  })

  it('leaves no file behind', async () => {
    const [written, removed] = [sinon.spy(ScratchFolder.prototype, 'write'), sinon.spy(ScratchFolder.prototype, 'remove')]
    await world.domain('files.test', { ...CLOSED, pages: { '/': 'grace.hopper@files.test', '/team': 'x', '/contact': 'y' } })
    await world.find('Ada Lovelace@files.test')
    expect([written.callCount, removed.callCount]).to.deep.equal([3, 3])
  })
})
