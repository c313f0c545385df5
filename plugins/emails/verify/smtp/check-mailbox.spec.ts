import { expect } from 'chai'
import { Fault } from '../../../../core/sdk/index.js'
import { checkMailbox } from './check-mailbox.js'
import type { MailContext } from './probes.js'

const QUESTION = {
  address: 'ada@acme.test',
  local: 'ada',
  domain: 'acme.test',
  international: false,
  hosts: ['mx.acme.test'],
  left_ms: 1_000,
}

describe('emails: a mailbox at a server that cannot be connected to', () => {
  const unused = (): never => expect.fail('nothing else is needed')

  it('when no connection is free in time the answer is unknown, and the probe is given back', async () => {
    let givenBack = 0
    const taken = { most: 1, left: 0, resets_at: '', giveBack: () => Promise.resolve(void givenBack++) }
    const host = {
      program: unused,
      launcher: unused,
      start: unused,
      proxyUrl: '',
      folder: unused,
      log: unused,
      get settings() {
        return unused()
      },
    }
    const context: MailContext = {
      settings: { ehlo_name: null, mail_from: null, probes_per_account_per_day: 1 },
      net: { dns: unused, query: unused, tls: unused, inspectTls: unused, connect: () => Promise.reject(new Fault('busy', 'no place')) },
      signal: new AbortController().signal,
      use: (resource) => resource.open(host),
      wait: () => new Promise(() => undefined),
      caps: { take: () => Promise.resolve(taken), left: unused },
      caller: { account: 'a', key: 'k' },
      requestId: 'r',
    }
    const found = await checkMailbox(QUESTION, context)
    expect(found).to.include({ status: 'unknown', sub_status: 'timeout_exceeded', not_asked: true })
    expect(found.notes).to.deep.equal(['No connection to the mail server was free in time.'])
    expect(givenBack).to.equal(1)
  })
})
