import { expect } from 'chai'
import { ServerResponse, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { readJson } from '../../../core/http/body.js'

describe('a large body that is there all at once', () => {
  it('is taken in by 128 KiB in a turn of the event loop, and read whole', async () => {
    const text = 'a'.repeat(2 << 20)
    const bytes = Buffer.from(JSON.stringify({ text }))
    const body = new Readable({ read: () => undefined, highWaterMark: 4 << 20 })
    for (let at = 0; at < bytes.length; at += 64 << 10) body.push(bytes.subarray(at, at + (64 << 10)))
    body.push(null)
    const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) }
    const req = Object.assign(body, { headers, complete: true }) as unknown as IncomingMessage
    let [inTurn, most] = [0, 0]
    const reset = (): void => {
      inTurn = 0
      next = setImmediate(reset)
    }
    let next = setImmediate(reset)
    const read = readJson({ req, res: new ServerResponse(req) }, { limit: 4 << 20, mostValues: 100 })
    body.on('data', (chunk: Buffer) => {
      inTurn += chunk.length
      most = Math.max(most, inTurn)
    })
    expect(await read).to.deep.equal({ text })
    clearImmediate(next)
    expect(most).to.equal(128 << 10)
  })
})
