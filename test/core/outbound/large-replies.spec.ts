import { expect } from 'chai'
import { Cancel } from '../../../core/runtime/cancel.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { LargeReplies } from '../../../core/outbound/large-replies.js'
import { isLargeReply, readBody, type ReplyForm } from '../../../core/outbound/reply-body.js'
import { Fault } from '../../../core/sdk/index.js'
import { HandClock } from '../../support/outbound.js'

const JSON_REPLY: ReplyForm = { header: 'application/json', reads: 'json', ok: true }
const long = (unit: string, length = 600_000): string => unit.repeat(Math.ceil(length / unit.length))
const list = (count: number, part: (index: number) => string): string =>
  `[${Array.from({ length: count }, (_, index) => part(index)).join(',')}]`

const REPLIES: Readonly<Record<string, [string | Uint8Array, Partial<ReplyForm>]>> = {
  'a long text': [`{"a":{"b":["${long('text')}"]}}`, {}],
  'a long text in two bytes a letter': [`{"a":"${long('漢字é')}"}`, {}],
  'pairs and halves of pairs': [`{"a":"${long('😀')}\\ud83d"}`, {}],
  'a text alone': [`"${long('a')}"`, {}],
  'a list of texts': [list(300, (index) => `"${index}${long('a', 20_000)}"`), {}],
  'many values': [list(40_000, (index) => String(index)), {}],
  'too many values': [list(100_001, (index) => String(index)), {}],
  'too deep': [long('['), {}],
  'keys of prototypes': [`{"__proto__":{"a":1},"constructor":{"prototype":{}},"b":"${long('c')}"}`, {}],
  'half a value': [`{"a":"${long('b')}`, {}],
  'text that is no JSON': [long('sorry '), {}],
  'spaces alone': [long(' '), {}],
  'lines of JSON': [long(`{"a":"${'b'.repeat(100)}"}\n`), { reads: 'ndjson' }],
  'lines of which one is no JSON': [`${long('{"a":1}\n')}x`, { reads: 'ndjson' }],
  text: [long('words and '), { header: 'text/plain; charset=utf-8', reads: 'text' }],
  'text in Shift_JIS': [Buffer.alloc(600_000, Buffer.from([0x82, 0xa0])), { header: 'text/plain; charset=shift_jis', reads: 'text' }],
  'text in an unknown character set': [long('é'), { header: 'text/plain; charset=none', reads: 'text' }],
  'bytes that are not UTF-8': [Buffer.alloc(600_000, 0xff), {}],
  'an error in JSON': [`{"error":"${long('a')}"}`, { ok: false, reads: 'bytes' }],
  'an error in HTML': [long('<p>'), { ok: false, reads: 'bytes', header: 'text/html' }],
}

const by = (account: string) => ({ cancel: new Cancel(systemClock, systemClock.monotonic() + 60_000, account), once: false })

describe('a large reply of a vendor', function () {
  this.timeout(20_000)
  const replies = new LargeReplies(systemClock)
  after(() => replies.close())

  for (const [what, [text, form]] of Object.entries(REPLIES))
    it(`is read in the worker as on the main thread: ${what}`, async () => {
      const bytes = Buffer.from(text)
      const request = { ...JSON_REPLY, ...form }
      expect(isLargeReply(bytes, request)).to.equal(true)
      const expected = readBody(bytes, request)
      expect(await replies.read(bytes, request, by('one'))).to.deep.equal(expected)
    })

  it('is one of more than 512 KiB or of many values, unless its bytes stay bytes', () => {
    const large = (text: string, form: Partial<ReplyForm> = {}): boolean => isLargeReply(Buffer.from(text), { ...JSON_REPLY, ...form })
    expect(large(`"${'a'.repeat(500_000)}"`)).to.equal(false)
    expect(large(list(9_000, () => '1'))).to.equal(false)
    expect(large(list(11_000, () => '1'))).to.equal(true)
    expect(large(long('a'), { reads: 'bytes' })).to.equal(false)
    expect(large(long('a'), { reads: 'bytes', ok: false, header: 'image/png' })).to.equal(false)
  })

  it('of fields with too many different names is not understood', async () => {
    const bytes = Buffer.from(`{${Array.from({ length: 20_001 }, (_, index) => `"name ${index}":0`).join(',')}}`)
    const failure: unknown = await replies.read(bytes, JSON_REPLY, by('one')).catch((error: unknown) => error)
    expect(Fault.is(failure) && failure.kind).to.equal('broken')
  })

  it('whose thread ends is a failure of that reply alone', async () => {
    const code = 'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => process.exit(1))'
    const own = new LargeReplies(new HandClock(), new URL(`data:text/javascript,${encodeURIComponent(code)}`))
    for (let count = 0; count < 2; count++) {
      const failure: unknown = await own.read(Buffer.from('{}'), JSON_REPLY, by('one')).catch((error: unknown) => error)
      expect(Fault.is(failure) && failure.kind).to.equal('broken')
    }
    await own.close()
  })

  it('waits for others only as long as they fit in memory', async () => {
    const bytes = new Uint8Array(40 << 20)
    const first = replies.read(Buffer.from('{}'), JSON_REPLY, by('one'))
    const refused: unknown = await replies.read(bytes, JSON_REPLY, by('two')).catch((error: unknown) => error)
    expect(Fault.is(refused) && [refused.kind, refused.ambiguous]).to.deep.equal(['busy', false])
    const once: unknown = await replies.read(bytes, JSON_REPLY, { ...by('two'), once: true }).catch((error: unknown) => error)
    expect(Fault.is(once) && once.ambiguous, 'the vendor has acted').to.equal(true)
    expect((await first).body).to.deep.equal({})
  })
})
