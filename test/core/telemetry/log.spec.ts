import { expect } from 'chai'
import fc from 'fast-check'
import { Writable } from 'node:stream'
import { openLog } from '../../../core/telemetry/log.js'

const CANARY = 'canary-7f3a9b21'
const KEY = `cap_${'a1B2'.repeat(10)}`

function lines(level = 'debug') {
  const written: string[] = []
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => (written.push(chunk.toString()), done()) })
  return { written, log: openLog({ level, format: 'json', destination: sink }).log }
}

describe('the log', () => {
  it('is one JSON object a line with level, message and fields', () => {
    const { written, log } = lines('info')
    log('plugin', 'hello', { request_id: 'r1', n: 1, list: ['a'], nothing: null })
    log('probe', 'not at this level')
    expect(written).to.have.length(1)
    expect(JSON.parse(written[0] ?? '')).to.deep.include({ msg: 'hello', request_id: 'r1', n: 1, list: ['a'], nothing: null })
  })

  it('T-72 writes no value of a secret field, at any depth and in any case', () => {
    const { written, log } = lines()
    for (const field of [
      'authorization',
      'Authorization',
      'key',
      'api_key',
      'token',
      'admin_token',
      'secret',
      'password',
      'cookie',
      'Set-Cookie',
      'X-Api-Key',
    ]) {
      log('plugin', 'x', { [field]: CANARY })
      log('plugin', 'x', { headers: { [field]: CANARY } })
      log('plugin', 'x', { a: { b: [{ [field]: CANARY }] } })
      log('plugin', 'x', { [field]: { inner: CANARY } })
    }
    expect(written).to.have.length(44)
    for (const line of written) expect(line).to.contain('[secret]').and.not.to.contain(CANARY)
  })

  it('T-72 writes no key and no bearer credential, wherever it stands', () => {
    const { written, log } = lines()
    log('part-failed', `refused ${KEY} today`, {
      internal: `Authorization: Bearer ${CANARY}`,
      deep: { list: [`at ${KEY}.`] },
      failed: new Error(`with ${KEY}`),
      when: { toJSON: () => KEY },
    })
    expect(written[0]).not.to.contain(KEY).and.not.to.contain(CANARY)
    expect(JSON.parse(written[0] ?? '')).to.deep.include({
      msg: 'refused [secret] today',
      internal: 'Authorization: [secret]',
      deep: { list: ['at [secret].'] },
    })
  })

  it('T-72 no text can begin a line of its own or move the cursor of a terminal', () => {
    const { written, log } = lines()
    log('plugin', 'a\r\nb\u001b[31mred\u009b2J\u2028c', {
      field: 'x\r\n{"level":60}\u001b[2J',
      ['na\nme\u001b']: 1,
      deep: { inner: '\u001b]0;title\u0007' },
    })
    expect(written).to.have.length(1)
    const text = (written[0] ?? '').trimEnd()
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(text).not.to.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\r]|\\u001b|\\u0007|\\r/)
    expect(text.split('\n')).to.have.length(1)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (anything) => {
        written.length = 0
        log('plugin', anything, { field: anything, deep: [anything] })
        expect(written).to.have.length(1)
        for (const control of ['\n', '\r', '\u001b']) expect((written[0] ?? '').trimEnd()).not.to.contain(control)
        expect(() => void JSON.parse(written[0] ?? '')).not.to.throw()
      }),
    )
  })

  it('ends with objects that never end', () => {
    const { written, log } = lines()
    const circle: Record<string, unknown> = { name: 'round' }
    circle['self'] = circle
    log('plugin', 'x', { circle })
    expect(written[0]).to.contain('[deep]')
  })
})
