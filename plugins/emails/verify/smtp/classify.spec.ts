import { expect } from 'chai'
import { MAIL_REPLIES } from '../../../../test/support/mail-replies.js'
import { recipientVerdict } from './classify.js'
import { readReply } from './reply.js'

/** The parsed reply of a server's lines. */
async function replyOf(text: string) {
  const lines = text.split('\r\n')
  const nothing = (): never => expect.fail('only lines are read')
  const reply = await readReply({
    ...{ host: '', port: 25, resumed: null, readAll: nothing, write: nothing, startTls: nothing, close: nothing, keep: nothing },
    readLine: () => Promise.resolve(lines.shift() ?? null),
  })
  return reply ?? expect.fail('no reply')
}

describe('emails: replies of mail servers', () => {
  it(`${String(MAIL_REPLIES.length)} replies to RCPT`, async () => {
    const wrong: string[] = []
    for (const [text, wanted] of MAIL_REPLIES) {
      const verdict = recipientVerdict(await replyOf(text))
      const found = verdict === 'accepted' ? null : verdict.sub_status
      if (found !== wanted) wrong.push(`${text}: ${String(found)} instead of ${String(wanted)}`)
    }
    console.log(`      ${String(MAIL_REPLIES.length)} replies, ${String(wrong.length)} wrong`)
    expect(wrong).to.deep.equal([])
  })

  it('replies that are neither a yes nor a no, refusals of a sender, and what is put off in other words than a list that waits', async () => {
    for (const [text, wanted] of [
      ['220 mx.example ESMTP', 'exception_occurred'],
      ['354 go ahead', 'exception_occurred'],
      ['260 what', 'exception_occurred'],
      ['550 5.1.7 bad address syntax', 'antispam_system'],
      ['550 5.1.8 bad system address', 'antispam_system'],
      ['450 4.7.1 please try again', 'greylisted'],
      ['454 4.7.0 please try again', 'mail_server_temporary_error'],
    ] as const) {
      const verdict = recipientVerdict(await replyOf(text))
      expect(verdict, text).to.deep.equal({ status: 'unknown', sub_status: wanted })
    }
  })

  it('what is no reply, one that does not end, and an end in place of one', async () => {
    for (const text of ['', 'hello', '999 no', '2500 no', '250'.repeat(3), `${'250-more\r\n'.repeat(200)}250 ok`])
      expect((await replyOf(text)).code, text.slice(0, 20)).to.equal(0)
    expect(await replyOf('250-2.1.5 one\r\n250 2.1.5 Two')).to.deep.equal({ code: 250, enhanced: '2.1.5', text: '2.1.5 one\n2.1.5 two' })
    expect(await replyOf('250')).to.include({ code: 250, enhanced: null })
    expect((await replyOf('550 5.1.1 <spam@abuse.test> no')).text).to.equal('5.1.1   no')
  })

  it('of a long text the beginning counts', async () => {
    const { text } = await replyOf(`550 ${'no such user '.repeat(20_000)}`)
    expect(text.length).to.be.at.most(4_000)
  })
})
