import { expect } from 'chai'
import fc from 'fast-check'
import { BoundedExchange } from '../../../core/outbound/exchange.js'
import { JoinedBody, namedLength } from '../../../core/outbound/reply-body.js'
import { cancelIn } from '../../support/outbound.js'
import { settle } from '../../support/unit.js'

describe('outbound: a body of many chunks', () => {
  it('is all its chunks in their order, whatever length the server named', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 12 }), fc.nat(150), (chunks, named) => {
        const body = new JoinedBody(named)
        for (const chunk of chunks) body.add(chunk)
        expect(Buffer.from(body.bytes())).to.deep.equal(Buffer.concat(chunks))
      }),
    )
  })

  it('of one chunk is that chunk, not a copy', () => {
    const chunk = Buffer.from('all of it')
    for (const named of [0, chunk.length]) {
      const body = new JoinedBody(named)
      body.add(chunk)
      expect(body.bytes()).to.equal(chunk)
    }
  })

  it('has a named length only when it is a whole number within the limit and the body is not decoded', () => {
    const lengths = [{ 'content-length': '12' }, { 'content-length': '101' }, { 'content-length': '-1' }, { 'content-length': 'x' }, {}]
    expect(lengths.map((headers) => namedLength(headers, 100))).to.deep.equal([12, 0, 0, 0, 0])
    expect(namedLength({ 'content-length': '12', 'content-encoding': 'gzip' }, 100)).to.equal(0)
  })

  it('is held back after every 128 KiB until other work had its turn, and not once its last byte has come', async () => {
    const events: string[] = []
    const controller = {
      paused: false,
      aborted: false,
      reason: null,
      rawHeaders: null,
      rawTrailers: null,
      abort: () => undefined,
      pause: () => void events.push('pause'),
      resume: () => void events.push('resume'),
    }
    const sink = { chunk: () => undefined, end: () => void events.push('end'), fail: (error: Error) => void events.push(error.message) }
    const exchange = new BoundedExchange({ maxBytes: () => 10 << 20, cancel: cancelIn(), bodyless: false, head: () => true, sink })
    exchange.onRequestStart(controller)
    exchange.onResponseStart(controller, 200, {})
    const chunk = Buffer.alloc(64 << 10)
    for (let sent = 0; sent < 5; sent++) exchange.onResponseData(controller, chunk)
    expect(events).to.deep.equal(['pause'])
    await settle(2)
    expect(events).to.deep.equal(['pause', 'resume'])
    exchange.hold(true)
    exchange.onResponseData(controller, chunk)
    await settle(2)
    expect(events, 'its reader is behind').to.deep.equal(['pause', 'resume', 'pause'])
    exchange.hold(false)
    exchange.flush()
    for (let sent = 0; sent < 5; sent++) exchange.onResponseData(controller, chunk)
    exchange.onResponseEnd()
    expect(events.filter((each) => each !== 'resume')).to.deep.equal(['pause', 'pause', 'end'])
    const late = new BoundedExchange({ maxBytes: () => 10 << 20, cancel: cancelIn(), bodyless: false, head: () => true, sink })
    late.onRequestStart(controller)
    late.onResponseStart(controller, 200, {})
    for (let sent = 0; sent < 2; sent++) late.onResponseData(controller, chunk)
    late.flush()
    const before = events.length
    await settle(2)
    expect(events.slice(before), 'a pause that flush has ended is not ended again').to.deep.equal([])
  })
})
