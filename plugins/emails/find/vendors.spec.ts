import { expect } from 'chai'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { httpServer, type Running } from '../../../core/sdk/testkit/servers.js'
import { FindWorld } from '../../../test/support/find-world.js'
import { HandClock } from '../../../test/support/outbound.js'

type Answer = (request: { readonly query: URLSearchParams; readonly token: string }) => {
  status?: number
  json: unknown
  headers?: Record<string, string>
}

/** Vendors on one server, each below its own path, with the test's answers. */
class Vendors {
  readonly asked: string[] = []
  readonly answers = new Map<string, Answer>()
  server!: Running

  static async start(): Promise<Vendors> {
    const vendors = new Vendors()
    vendors.server = await httpServer((request, response) => vendors.#answer(request, response))
    return vendors
  }

  get env(): Record<string, string> {
    const url = `http://127.0.0.1:${String(this.server.port)}`
    const names = ['hunter', 'findymail', 'snov']
    return {
      ...Object.fromEntries(names.map((name) => [`CAPSTAN_VENDOR_${name.toUpperCase()}_URL`, `${url}/${name}`])),
      HUNTER_API_KEY: 'k1',
      FINDYMAIL_API_KEY: 'k2',
      SNOV_CLIENT_ID: 'k3',
      SNOV_CLIENT_SECRET: 'k4',
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://vendor.test')
    this.asked.push(pathname)
    request.resume().on('end', () => {
      const found = this.answers.get(pathname)?.({ query: searchParams, token: request.headers.authorization ?? '' })
      const { status = 200, json, headers = {} } = found ?? { status: 404, json: { errors: [{ id: 'not_found' }] } }
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json))
    })
  }
}

const hunterSays = (email: string | null, score: number, status: string | null): Answer => {
  return () => ({ json: { data: { email, score, first_name: 'ADA', last_name: 'Lovelace', verification: { status } } } })
}

describe('emails.find: vendors in turn', function () {
  this.timeout(120_000)
  let world: FindWorld
  let vendors: Vendors

  before(async () => {
    vendors = await Vendors.start()
    world = await FindWorld.start({ file: 'plugins:\n  emails:\n    ehlo_name: probe.test\n', env: vendors.env })
  })
  after(async () => {
    await world?.close()
    await vendors?.server.close()
  })
  beforeEach(() => {
    vendors.answers.clear()
    vendors.asked.length = 0
  })

  it('one that is sure ends it, and neither the next vendor nor the mail server is asked', async () => {
    const server = await world.domain('sure.test', {})
    vendors.answers.set('/hunter/email-finder', hunterSays('ada@sure.test', 92, 'valid'))
    expect(await world.find('Ada Lovelace@sure.test')).to.deep.equal({
      email: 'ada@sure.test',
      email_type: 'professional',
      confidence: 92,
      verification_status: 'valid',
      first_name: 'ADA',
      last_name: 'Lovelace',
      domain: 'sure.test',
    })
    expect(vendors.asked).to.deep.equal(['/hunter/email-finder'])
    expect(server?.lines).to.deep.equal([])
  })

  it('an address at another domain is not taken', async () => {
    await world.domain('moved.test', { mail: null })
    vendors.answers.set('/hunter/email-finder', hunterSays('ada@elsewhere.test', 99, 'valid'))
    vendors.answers.set('/findymail/api/search/name', () => ({ json: { contact: { email: 'ada@mail.moved.test' } } }))
    expect(await world.refused('Ada Lovelace@moved.test')).to.equal('no-result')
  })

  it('what a vendor is not sure of, the mail server confirms', async () => {
    const server = await world.domain('unsure.test', { mail: { mailboxes: { 'countess@unsure.test': 'exists' } } })
    vendors.answers.set('/hunter/email-finder', hunterSays('countess@unsure.test', 44, null))
    expect(await world.find('Ada Lovelace@unsure.test')).to.include({
      email: 'countess@unsure.test',
      verification_status: 'valid',
      confidence: 95,
    })
    expect(server?.lines.filter((line) => line.startsWith('RCPT')).length).to.equal(2)
  })

  it('or refuses: then it is not answered', async () => {
    await world.domain('wrong.test', { mail: { mailboxes: {} } })
    vendors.answers.set('/hunter/email-finder', hunterSays('countess@wrong.test', 44, null))
    expect(await world.refused('Ada Lovelace@wrong.test')).to.equal('no-result')
  })

  it('or cannot be asked: the surest answer of all is given', async () => {
    await world.domain('mute.test', { mail: null })
    vendors.answers.set('/hunter/email-finder', hunterSays('ada.lovelace@mute.test', 44, null))
    expect(await world.find('Ada Lovelace@mute.test')).to.include({ email: 'ada.lovelace@mute.test', confidence: 50 })
    vendors.answers.set('/hunter/email-finder', hunterSays('alan.turing@mute.test', 71, 'accept_all'))
    expect(await world.find('Alan Turing@mute.test')).to.include({ verification_status: 'catch-all', confidence: 60 })
  })

  it('Hunter is asked again while it searches', async () => {
    await world.domain('long.test', { mail: null })
    let looks = 0
    vendors.answers.set('/hunter/email-finder', (request) =>
      ++looks < 2
        ? { status: 202, json: { data: {} }, headers: { 'retry-after': '0' } }
        : hunterSays('ada@long.test', 90, 'valid')(request),
    )
    expect((await world.find('Ada Lovelace@long.test')).email).to.equal('ada@long.test')
    expect(looks).to.equal(2)
  })

  it('who asked not to be processed is looked for nowhere else', async () => {
    const server = await world.domain('gone.test', { mail: { mailboxes: { 'ada.lovelace@gone.test': 'exists' } } })
    vendors.answers.set('/hunter/email-finder', () => ({ status: 451, json: { errors: [{ id: 'claimed_email', details: 'no' }] } }))
    expect(await world.refused('Ada Lovelace@gone.test')).to.equal('no-result')
    expect(vendors.asked).to.deep.equal(['/hunter/email-finder'])
    expect(server?.lines).to.deep.equal([])
  })

  it('a token of Snov.io serves several calls, and one that is refused is renewed once', async () => {
    await world.domain('tokens.test', { mail: null })
    let tokens = 0
    let good = 'Bearer t1'
    vendors.answers.set('/snov/v1/oauth/access_token', () => ({ json: { access_token: `t${String(++tokens)}`, expires_in: 3600 } }))
    const guarded = (json: unknown): Answer => {
      return ({ token }) => (token === good ? { json } : { status: 401, json: { success: false, errors: ['no'] } })
    }
    vendors.answers.set('/snov/v2/emails-by-domain-by-name/start', guarded({ data: { task_hash: 'a' } }))
    const result = (email: string) => guarded({ status: 'completed', data: [{ result: [{ email, smtp_status: 'valid' }] }] })
    vendors.answers.set('/snov/v2/emails-by-domain-by-name/result', result('ada@tokens.test'))
    expect((await world.find('Ada Lovelace@tokens.test')).email).to.equal('ada@tokens.test')
    vendors.answers.set('/snov/v2/emails-by-domain-by-name/result', result('alan@tokens.test'))
    await world.find('Alan Turing@tokens.test')
    expect(tokens).to.equal(1)
    good = 'Bearer t2'
    vendors.answers.set('/snov/v2/emails-by-domain-by-name/result', result('grace@tokens.test'))
    expect((await world.find('Grace Hopper@tokens.test')).email).to.equal('grace@tokens.test')
    expect(tokens).to.equal(2)
  })

  it('patterns that Hunter knows of the domain are tried first, and asked for once a day', async () => {
    const server = await world.domain('known.test', {
      mail: { mailboxes: { 'lovelace_ada@known.test': 'exists', 'turing_alan@known.test': 'exists' } },
    })
    vendors.answers.set('/hunter/domain-search', () => ({ json: { data: { pattern: '{last}_{first}', emails: [] } } }))
    expect(await world.find('Ada Lovelace@known.test')).to.include({ email: 'lovelace_ada@known.test', confidence: 95 })
    expect(await world.find('Alan Turing@known.test')).to.include({ email: 'turing_alan@known.test', confidence: 95 })
    expect(server?.lines.filter((line) => line.startsWith('RCPT')).length).to.equal(4)
    expect(vendors.asked.filter((path) => path === '/hunter/domain-search').length).to.equal(1)
  })

  it('a vendor that fails does not hide that nobody knows the person', async () => {
    await world.domain('mixed.test', { mail: { mailboxes: {} } })
    vendors.answers.set('/hunter/email-finder', () => ({ status: 500, json: {} }))
    expect(await world.refused('Ada Lovelace@mixed.test')).to.equal('no-result')
  })

  it('an answer that is not confirmed is kept only when every vendor answered', async () => {
    const clock = new HandClock()
    const own = await FindWorld.start({ env: vendors.env, clock })
    try {
      const server = await own.domain('down.test', { mail: { catchAll: true } })
      const asked = async (): Promise<number> => {
        expect(await own.find('Ada Lovelace@down.test')).to.include({ verification_status: 'catch-all' })
        clock.advance(2_000)
        return server?.lines.filter((line) => line.startsWith('RCPT')).length ?? 0
      }
      vendors.answers.set('/hunter/email-finder', () => ({ status: 500, json: {} }))
      expect([await asked(), await asked()]).to.deep.equal([1, 2])
      vendors.answers.delete('/hunter/email-finder')
      expect([await asked(), await asked()]).to.deep.equal([3, 3])
    } finally {
      await own.close()
    }
  })
})
