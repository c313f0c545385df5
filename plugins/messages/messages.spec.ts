import { expect } from 'chai'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { german, MessageWorld, type Ending } from '../../test/support/message-world.js'
import type { Reply } from '../../test/support/gateway.js'
import { expectProblem } from '../../test/support/problem.js'

interface Sent {
  readonly message_id: string
  readonly channel: string
  readonly to: string
  readonly from: string | null
  readonly status: string
}
const twilioError = (code: number, status = 400): Ending => ({ status, json: { code, message: 'no', status } })
const notesOf = (reply: Reply): readonly string[] => reply.json<{ metadata: { notes?: string[] } }>().metadata.notes ?? []
const triedBy = (reply: Reply): readonly string[] => reply.json<{ metadata: { providers_tried: string[] } }>().metadata.providers_tried

describe('messages.send', function () {
  this.timeout(60_000)
  let world: MessageWorld
  let n = 1_000
  /** A number used by no other test, in its own block. */
  const fresh = (): string => german((n += 10_000))
  before(async () => {
    world = await MessageWorld.start({
      file: 'plugins:\n  messages:\n    countries: [DE, GB]\n',
      env: { CAPSTAN_MESSAGES_COUNTRIES: '', CAPSTAN_TWILIO_SENDERS: 'GB=Acme,+15005550102' },
    })
  })
  after(async () => await world?.close())
  beforeEach(() => {
    world.vendors.received.length = 0
    world.vendors.answer = () => 'takes'
    const { suspensions } = world.gateway.app.services
    for (const id of suspensions.ids()) suspensions.resume(id)
  })
  const data = (reply: Reply): Sent => {
    expect(reply.status, reply.text).to.equal(200)
    return reply.json<{ data: Sent }>().data
  }
  const detail = (reply: Reply): { loc: string; msg: string } => {
    const [first] = expectProblem(reply, 'validation-failed').detail ?? []
    return { loc: first?.loc.join('.') ?? '', msg: first?.msg ?? '' }
  }

  it('is sent by the first vendor, for one credit', async () => {
    const before = await world.gateway.money()
    const to = fresh()
    const reply = await world.send({ to })
    expect(data(reply)).to.deep.include({ channel: 'sms', to, from: '+15005550102', status: 'sent' })
    expect(world.vendors.received).to.deep.equal([{ vendor: 'twilio', to, from: '+15005550102', text: 'Your table is free.' }])
    expect(reply.headers['x-credits-used']).to.equal('1')
    expect(await world.gateway.money()).to.deep.equal({ ...before, balance: before.balance - 1, available: before.available - 1 })
  })

  it('has the sender of the country of the recipient, or the one that the caller named', async () => {
    expect(data(await world.send({ to: '+447400123456' })).from).to.equal('Acme')
    expect(data(await world.send({ to: '+447400123457', from_number: '+15005550102' })).from).to.equal('+15005550102')
  })

  it('keeps every letter: emoji, other scripts, line breaks', async () => {
    const text = 'Grüße 👋🏽\nПривет, 世界 €'
    data(await world.send({ to: fresh(), message: text }))
    expect(world.vendors.received[0]?.text).to.equal(text)
  })

  describe('bad input', () => {
    const long = 'a'.repeat(1_601)
    const rows: readonly (readonly [string, object, string, RegExp])[] = [
      ['a number as it is dialled', { to: '0171 1234567' }, 'body.to', /E\.164/],
      ['a number with 00', { to: '00491711234567' }, 'body.to', /did you mean \+491711234567/],
      ['a number of no range', { to: '+15551234567' }, 'body.to', /in no range/],
      ['a number of no country code', { to: '+9991234567890' }, 'body.to', /no country code/],
      ['a premium-rate number', { to: '+33891123456' }, 'body.to', /premium-rate/],
      ['a satellite telephone', { to: '+881612345678' }, 'body.to', /satellite/],
      ['a shared-cost number', { to: '+4918012345678' }, 'body.to', /shared-cost/],
      ['a country that is not allowed', { to: '+33612345678' }, 'body.to', /FR.*only to DE, GB.*plugins\.messages\.countries/],
      ['1,601 characters', { message: long }, 'body.message', /1600|1,600/],
      ['nothing', { message: '' }, 'body.message', /./],
      ['only blanks', { message: ' \n\t ' }, 'body.message', /blank/],
      ['only invisible characters', { message: '\u200b\u200d\ufeff\u2060' }, 'body.message', /blank/],
      ['a control character', { message: 'a\u0000b' }, 'body.message', /control/],
      ['half a character', { message: 'a\ud800' }, 'body.message', /./],
      ['more segments than are allowed', { message: '😀'.repeat(400) }, 'body.message', /13 segments of UCS-2.*max_segments/],
      ['a sender that no vendor has', { from_number: '+15005550199' }, 'body.from_number', /no sender of this account.*twilio, telnyx/],
      ['a channel that there is none of', { channel: 'sms' }, 'body.channel', /./],
      ['an unknown field', { text: 'a' }, 'body.text', /./],
    ]
    for (const [name, body, loc, msg] of rows)
      it(`${name} is refused at ${loc}; nothing is charged, nothing is sent`, async () => {
        const before = await world.gateway.money()
        const reply = await world.send({ to: fresh(), ...body })
        const found = detail(reply)
        expect(found.loc).to.equal(loc)
        expect(found.msg).to.match(msg)
        expect(reply.headers['x-credits-used']).to.equal('0')
        expect(await world.gateway.money()).to.deep.equal(before)
        expect(world.vendors.received).to.deep.equal([])
      })
  })

  it('a clear refusal of the account or the way goes on to the next vendor, which sends it once', async () => {
    for (const ending of [twilioError(20003, 401), twilioError(21408), twilioError(21606), twilioError(20429, 429), twilioError(1, 503)]) {
      world.vendors.answer = ({ vendor }) => (vendor === 'twilio' ? ending : 'takes')
      const reply = await world.send({ to: fresh() })
      expect(data(reply).message_id).to.match(/^telnyx-/)
      expect(triedBy(reply)).to.deep.equal(['twilio', 'telnyx'])
      const { suspensions } = world.gateway.app.services
      for (const id of suspensions.ids()) suspensions.resume(id)
    }
    expect(world.vendors.received.filter(({ vendor }) => vendor === 'telnyx')).to.have.length(5)
  })

  it('no other vendor is called for a recipient who has opted out', async () => {
    const before = await world.gateway.money()
    world.vendors.answer = () => twilioError(21610)
    const found = detail(await world.send({ to: fresh() }))
    expect(found.loc).to.equal('body.to')
    expect(found.msg).to.match(/opted out/)
    expect(world.vendors.received).to.have.length(1)
    expect(await world.gateway.money()).to.deep.equal(before)
  })

  it('a sender that no vendor accepts is refused at from_number, free of charge', async () => {
    world.vendors.answer = ({ vendor }) =>
      vendor === 'twilio'
        ? twilioError(21606)
        : { status: 422, json: { errors: [{ code: '10002', title: 'no', source: { parameter: 'from' } }] } }
    expect(detail(await world.send({ to: fresh() })).loc).to.equal('body.from_number')
    expect(world.vendors.received.map(({ vendor }) => vendor)).to.deep.equal(['twilio', 'telnyx'])
  })

  for (const ending of ['cut-before', 'cut-within', { status: 500, json: {} }] as const)
    it(`an unknown outcome (${typeof ending === 'string' ? ending : '500'}) is reported as such, free of charge, and no other vendor is called`, async () => {
      const before = await world.gateway.money()
      world.vendors.answer = () => ending
      const reply = await world.send({ to: fresh() })
      const { error } = reply.json()
      expect(reply.status).to.equal(502)
      expect(error).to.deep.include({ is_retriable: false })
      expect(error?.alternative_action ?? '').to.match(/outcome is unknown/)
      expect(reply.headers['x-credits-used']).to.equal('0')
      expect(world.vendors.received).to.have.length(1)
      expect(await world.gateway.money()).to.deep.equal(before)
    })

  it('the estimate shows segments and encoding, free of charge', async () => {
    const estimate = async (params: object) =>
      (await world.gateway.post('/v1/estimate', { capability: 'messages.send', params: { to: '+491711234567', ...params } })).json<object>()
    expect(await estimate({ message: 'a'.repeat(161) })).to.deep.equal({
      capability: 'messages.send',
      credits: 1,
      breakdown: [{ item: 'call', credits: 1 }],
      details: { encoding: 'GSM-7', segments: 2, units: 161 },
    })
    expect(await estimate({ message: '😀'.repeat(36) })).to.have.deep.property('details', { encoding: 'UCS-2', segments: 2, units: 72 })
    expect(world.vendors.received).to.deep.equal([])
  })

  it('by WhatsApp goes to Meta first, with the rule of 24 hours in the notes', async () => {
    const to = fresh()
    const reply = await world.send({ to, channel: 'whatsapp' })
    expect(data(reply)).to.deep.include({ channel: 'whatsapp', to, from: '+15005550102', status: 'sent' })
    expect(world.vendors.received.map(({ vendor }) => vendor)).to.deep.equal(['whatsapp-cloud'])
    expect(notesOf(reply).join()).to.match(/last 24 hours/)
  })

  it('by WhatsApp to a number without WhatsApp is refused at the number, and no other vendor is called', async () => {
    world.vendors.answer = () => ({ status: 400, json: { error: { code: 131026, message: 'no' } } })
    expect(detail(await world.send({ to: fresh(), channel: 'whatsapp' }))).to.deep.include({ loc: 'body.to' })
    expect(world.vendors.received).to.have.length(1)
  })

  it('by WhatsApp goes to Twilio where the window of the first number is closed', async () => {
    world.vendors.answer = ({ vendor }) =>
      vendor === 'twilio' ? 'takes' : { status: 400, json: { error: { code: 131047, message: 'no' } } }
    const reply = await world.send({ to: fresh(), channel: 'whatsapp' })
    expect(data(reply).channel).to.equal('whatsapp')
    expect(world.vendors.received.at(-1)?.from).to.equal('whatsapp:+15005550102')
  })

  it('an answer that was not read is given again under its Idempotency-Key, and sent once', async () => {
    const to = fresh()
    const first = await world.send({ to }, { idempotency: 'a message' })
    const again = await world.send({ to }, { idempotency: 'a message' })
    expect(data(again)).to.deep.equal(data(first))
    expect(world.vendors.received).to.have.length(1)
  })

  it('an unknown outcome under an Idempotency-Key is final: the same request again is 409 and sent nowhere', async () => {
    const to = fresh()
    world.vendors.answer = () => 'cut-before'
    expect((await world.send({ to }, { idempotency: 'lost' })).status).to.equal(502)
    world.vendors.answer = () => 'takes'
    expectProblem(await world.send({ to }, { idempotency: 'lost' }), 'idempotency-conflict')
    expect(world.vendors.received).to.have.length(1)
  })
})

describe('messages.send where an account has senders of its own', function () {
  this.timeout(60_000)
  const [SHARED, OWN] = ['+15005550102', '+15005550103']
  let world: MessageWorld
  let other = { id: '', key: '' }
  let n = 0
  const fresh = (): string => german((n += 10_000))
  before(async () => {
    world = await MessageWorld.start({
      env: {
        CAPSTAN_TWILIO_SENDERS: `DE=${SHARED},${SHARED},DE=Acme,${OWN}`,
        CAPSTAN_MESSAGES_ACCOUNT_SENDERS: `default=${OWN},default=Acme`,
      },
    })
    other = await world.gateway.newAccount(10)
  })
  after(async () => await world?.close())
  beforeEach(() => void (world.vendors.received.length = 0))
  const fromOf = async (body: object, key?: string): Promise<string | null> => {
    const reply = await world.send({ to: fresh(), ...body }, key === undefined ? {} : { key })
    expect(reply.status, reply.text).to.equal(200)
    return reply.json<{ data: Sent }>().data.from
  }
  const refusal = async (body: object, key?: string): Promise<{ loc: string; msg: string }> => {
    const reply = await world.send({ to: fresh(), ...body }, key === undefined ? {} : { key })
    expect(reply.headers['x-credits-used']).to.equal('0')
    const [first] = expectProblem(reply, 'validation-failed').detail ?? []
    return { loc: first?.loc.join('.') ?? '', msg: first?.msg ?? '' }
  }

  it('each account sends from its own senders, by country and by name', async () => {
    expect(await fromOf({})).to.equal('Acme')
    expect(await fromOf({ from_number: OWN })).to.equal(OWN)
    expect(await fromOf({}, other.key)).to.equal(SHARED)
    expect(await fromOf({ from_number: SHARED }, other.key)).to.equal(SHARED)
  })

  it('the sender of another account is refused at from_number like one that does not exist; nothing is charged or sent', async () => {
    const before = await world.gateway.money(other.id)
    const foreign = await refusal({ from_number: OWN }, other.key)
    expect(foreign.loc).to.equal('body.from_number')
    expect(foreign.msg).to.match(/no sender of this account.*plugins\.messages\.account_senders/)
    for (const from_number of ['Acme', '+15005550199']) expect(await refusal({ from_number }, other.key)).to.deep.equal(foreign)
    expect((await refusal({ from_number: SHARED })).loc, 'an account with senders of its own has no others').to.equal('body.from_number')
    expect(await world.gateway.money(other.id)).to.deep.equal(before)
    expect(world.vendors.received).to.deep.equal([])
  })

  it('an account whose senders cannot send by WhatsApp is refused at the number, and no sender of others is used', async () => {
    const refused = await refusal({ channel: 'whatsapp' })
    expect(refused.loc).to.equal('body.to')
    expect(refused.msg).to.match(/this account has no sender for that country/)
    expect(await fromOf({ channel: 'whatsapp' }, other.key)).to.equal(SHARED)
    expect(world.vendors.received).to.have.length(1)
  })

  it('a sender of another account is not written to the outbox either', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-outbox-'))
    const file = join(folder, 'outbox.jsonl')
    const env = { CAPSTAN_OUTBOX_FILE: file, CAPSTAN_WATERFALL_MESSAGES_SMS: 'outbox', CAPSTAN_MESSAGES_ACCOUNT_SENDERS: 'acc_other=Acme' }
    const outbox = await MessageWorld.start({ env })
    try {
      expectProblem(await outbox.send({ from_number: 'Acme' }), 'validation-failed')
      expect(existsSync(file)).to.equal(false)
    } finally {
      await outbox.close()
      rmSync(folder, { recursive: true })
    }
  })
})

describe('messages.send as it comes', function () {
  this.timeout(60_000)

  it('T-41 without an allowed country every number is refused with the setting named, free of charge, and nothing is sent', async () => {
    const world = await MessageWorld.start({ env: { CAPSTAN_MESSAGES_COUNTRIES: '' } })
    try {
      const before = await world.gateway.money()
      const [first] = expectProblem(await world.send(), 'validation-failed').detail ?? []
      expect(first?.loc).to.deep.equal(['body', 'to'])
      expect(first?.msg).to.match(/no country is allowed yet.*plugins\.messages\.countries/)
      expect(await world.gateway.money()).to.deep.equal(before)
      expect(world.vendors.received).to.deep.equal([])
    } finally {
      await world.close()
    }
  })

  it('the outbox is used where the waterfall names it alone, and writes a line a message', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-outbox-'))
    const file = join(folder, 'outbox.jsonl')
    const world = await MessageWorld.start({ env: { CAPSTAN_OUTBOX_FILE: file, CAPSTAN_WATERFALL_MESSAGES_SMS: 'outbox' } })
    try {
      const reply = await world.send({ message: 'One' })
      expect(reply.status, reply.text).to.equal(200)
      expect(notesOf(reply).join()).to.match(/not sent to anybody/)
      await world.send({ message: 'Two' })
      const lines = readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object)
      expect(lines.map((line) => (line as { message: string }).message)).to.deep.equal(['One', 'Two'])
      expect(lines[0]).to.deep.include({ channel: 'sms', to: german(1), message_id: reply.json<{ data: Sent }>().data.message_id })
      expect(world.vendors.received).to.deep.equal([])
    } finally {
      await world.close()
      rmSync(folder, { recursive: true })
    }
  })

  it('without a vendor it is unavailable, and names the settings that would make it available', async () => {
    const world = await MessageWorld.start({ env: { TWILIO_AUTH_TOKEN: '', TELNYX_API_KEY: '' } })
    try {
      const { detail = '' } = (await world.send()).json().error ?? {}
      expect(detail)
        .to.match(/TWILIO_AUTH_TOKEN/)
        .and.to.match(/TELNYX_API_KEY/)
    } finally {
      await world.close()
    }
  })
})
