import { expect } from 'chai'
import type { Reply } from '../../../test/support/gateway.js'
import { expectProblem } from '../../../test/support/problem.js'
import { FindWorld } from '../../../test/support/find-world.js'

const QUESTION = { first_name: 'Ada', last_name: 'Lovelace', domain: 'example.com' }

describe('emails.find: what a new user gets wrong, and what is hostile', function () {
  this.timeout(120_000)
  let world: FindWorld

  before(async () => (world = await FindWorld.start()))
  after(() => world?.close())

  const faults = (reply: Reply): string[] => {
    const { detail } = expectProblem(reply, 'validation-failed')
    return (detail ?? []).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)
  }
  const mistakes: readonly (readonly [what: string, change: Record<string, unknown>, loc: string, says: RegExp])[] = [
    ['the address of the site', { domain: 'https://www.example.com/about' }, 'body.domain', /domain alone.*example\.com/],
    ['an address in place of the domain', { domain: 'ada@example.com' }, 'body.domain', /after the @/],
    ['a mail service for everybody', { domain: 'gmail.com' }, 'body.domain', /company.*mail service for everybody/],
    ['an address as name', { last_name: 'ada@example.com' }, 'body.last_name', /emails\.verify/],
    ['the name of the company as domain', { domain: 'Example Inc' }, 'body.domain', /such as example\.com/],
    ['no last name', { last_name: undefined }, 'body.last_name', /required|missing/i],
    ['an empty first name', { first_name: '' }, 'body.first_name', /./],
    ['line breaks', { first_name: 'Ada\r\nRCPT TO:<bob@example.com>' }, 'body.first_name', /line breaks/],
    ['300 characters', { last_name: 'a'.repeat(300) }, 'body.last_name', /100/],
    ['emoji', { first_name: '🙂' }, 'body.first_name', /letter/],
    ['text turned around', { last_name: '\u202Eecalevol' }, 'body.last_name', /control/],
  ]
  for (const [what, change, loc, says] of mistakes)
    it(`${what}: 422 at ${loc}`, async () => {
      const [first = '', ...rest] = faults(await world.ask({ ...QUESTION, ...change }))
      expect(first.startsWith(`${loc}: `), first).to.equal(true)
      expect(first).to.match(says)
      expect(rest).to.deep.equal([])
    })

  it('null for the company, www. and capital letters are taken', async () => {
    await world.domain('taken.test', {
      mail: { mailboxes: { 'ada.lovelace@taken.test': 'exists' } },
      pages: { '/': 'grace.hopper@taken.test' },
    })
    const reply = await world.ask({ ...QUESTION, domain: 'WWW.Taken.TEST', company: null })
    expect(reply.json().data).to.include({ email: 'ada.lovelace@taken.test', domain: 'taken.test' })
    expect(reply.json().metadata.provider_used).to.equal('pattern')
  })

  it('an answer that is not kept names its vendor as well', async () => {
    await world.domain('mute.test', { mail: null, pages: { '/': 'grace.hopper@mute.test' } })
    const reply = await world.ask({ ...QUESTION, domain: 'mute.test' })
    expect(reply.json().data).to.include({ email: 'ada.lovelace@mute.test', verification_status: 'unknown' })
    expect(reply.json().metadata.provider_used).to.equal('pattern')
  })

  it('the alias of the agent', async () => {
    await world.domain('alias.test', { mail: { mailboxes: { 'ada.lovelace@alias.test': 'exists' } } })
    const { key } = await world.gateway.newKey()
    const body = { capability: 'emails', params: { ...QUESTION, domain: 'alias.test' } }
    const reply = await world.gateway.send('/v1/agent', { method: 'POST', body, key })
    expect(reply.json()).to.deep.include({ success: true, credits_used: 2 })
  })

  it('T-37 no result names nobody', async () => {
    await world.domain('quiet.test', { mail: { mailboxes: {} } })
    const reply = await world.ask({ ...QUESTION, domain: 'quiet.test' })
    expectProblem(reply, 'no-result')
    expect(reply.text).not.to.match(/lovelace|quiet\.test/i)
  })

  it('other scripts that run from right to left have no pattern, and end as no result', async () => {
    await world.domain('rtl.test', { mail: { catchAll: true } })
    expectProblem(await world.ask({ first_name: 'محمد', last_name: 'علي', domain: 'rtl.test' }), 'no-result')
  })
})
