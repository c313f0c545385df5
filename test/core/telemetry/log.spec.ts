import { expect } from 'chai'
import fc from 'fast-check'
import sinon from 'sinon'
import { Writable } from 'node:stream'
import { openLog, type LogFormat } from '../../../core/telemetry/log.js'

const CANARY = 'canary-7f3a9b21'
const KEY = `cap_${'a1B2'.repeat(10)}`

function lines(level = 'debug', format: LogFormat = 'json', terminal = false) {
  const written: string[] = []
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => (written.push(chunk.toString()), done()) })
  const destination = Object.assign(sink, { isTTY: terminal })
  return { written, log: openLog({ level, format, destination }).log }
}

describe('the log', () => {
  it('is one JSON object a line: level by name, time by ISO 8601, event, message and fields', () => {
    const { written, log } = lines('info')
    log('plugin', 'hello', { request_id: 'r1', n: 1, list: ['a'], nothing: null })
    log('probe', 'not at this level')
    expect(written).to.have.length(1)
    const line = JSON.parse(written[0] ?? '') as { time: string }
    expect(new Date(line.time).toISOString()).to.equal(line.time)
    expect(line).to.deep.include({ level: 'info', event: 'plugin', msg: 'hello', request_id: 'r1', n: 1, list: ['a'], nothing: null })
  })

  describe('lines of requests', () => {
    let clock: sinon.SinonFakeTimers
    beforeEach(() => (clock = sinon.useFakeTimers({ now: 1_700_000_000_990, toFake: ['Date', 'setTimeout'] })))
    afterEach(() => clock.restore())

    it('are written together 20 ms after the first, each with its own time', () => {
      const { written, log } = lines()
      log('request', 'first', { status: 200 })
      clock.tick(15)
      log('request', 'second', { status: 200 })
      expect(written).to.deep.equal([])
      clock.tick(5)
      expect(written).to.have.length(1)
      const times = (written[0] ?? '')
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { time: string }).time)
      expect(times).to.deep.equal(['2023-11-14T22:13:20.990Z', '2023-11-14T22:13:21.005Z'])
    })

    it('are written as soon as there are 64', () => {
      const { written, log } = lines()
      for (let count = 0; count < 65; count++) log('request', `call ${count}`)
      expect(written.join('').match(/\n/g)).to.have.length(64)
      clock.tick(20)
      expect(written.join('').match(/\n/g)).to.have.length(65)
    })

    it('go out before any other line that comes', () => {
      const { written, log } = lines()
      log('request', 'first')
      log('plugin', 'second')
      expect(written.join('')).to.match(/"first".*\n.*"second".*\n$/)
    })
  })

  for (const level of ['silent', 'fatal'])
    it(`at ${level} writes none of the gateway's lines`, () => {
      const { written, log } = lines(level)
      log('request-failed', 'x')
      expect(written).to.deep.equal([])
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

  it('T-72 writes no key and no bearer credential, in whatever field', () => {
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
    // eslint-disable-next-line no-control-regex -- control characters are what this test searches for
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

  for (const [format, terminal, readable] of [
    ['auto', true, true],
    ['auto', false, false],
    ['text', false, true],
    ['json', true, false],
  ] as const)
    it(`${format} ${terminal ? 'on a terminal' : 'in a pipe'} is ${readable ? 'lines for people' : 'JSON'}`, () => {
      const { written, log } = lines('info', format, terminal)
      log('part-failed', 'a part failed', { request_id: 'r1', why: 'no "words" left', n: 2, list: [1] })
      if (readable)
        expect(written.join('')).to.match(
          /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} WARN {2}part-failed: a part failed request_id=r1 why="no \\"words\\" left" n=2 list=\[1\]\n$/,
        )
      else expect(JSON.parse(written.join(''))).to.deep.include({ event: 'part-failed', n: 2 })
    })

  it('T-72 a line for people escapes what could begin a line, drive a terminal or turn the text around', () => {
    const { written, log } = lines('info', 'text')
    log('plugin', 'a\r\nb\u001b[31m\u202ec', {
      field: 'x\n2026-01-01 00:00:00.000 ERROR stopped: forged',
      ['na\nme']: 1,
      list: ['\u009b2J'],
    })
    expect(written).to.have.length(1)
    expect(written[0]).to.contain('plugin: a\\r\\nb\\u001b[31m\\u202ec field="x\\n2026-01-01 00:00:00.000 ERROR stopped: forged" na\\nme=1')
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (anything) => {
        written.length = 0
        log('plugin', anything, { field: anything, [anything]: anything, deep: [{ [anything]: anything }] })
        expect((written[0] ?? '').slice(0, -1)).not.to.match(/(?!\t)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
      }),
    )
  })

  it('T-72 no field passes for a part of the line itself', () => {
    const { written, log } = lines('info')
    log('plugin', 'hello', { level: 'error', event: 'stopped', time: 0, msg: 'forged' })
    expect(JSON.parse(written[0] ?? '')).to.deep.include({
      level: 'info',
      event: 'plugin',
      msg: 'hello',
      _level: 'error',
      _event: 'stopped',
    })
    expect(written[0]?.match(/"(?:level|event|time|msg)":/g)).to.have.length(4)
  })

  it('ends with objects that never end', () => {
    const { written, log } = lines()
    const circle: Record<string, unknown> = { name: 'round' }
    circle['self'] = circle
    log('plugin', 'x', { circle })
    expect(written[0]).to.contain('[deep]')
  })
})
