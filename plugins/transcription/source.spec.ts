import { expect } from 'chai'
import type { HandlerContext } from '../../core/sdk/index.js'
import { turnsOf } from '../../test/support/time.js'
import { recordingOf } from './source.js'

describe('a recording in Base64', () => {
  it('is freed of white space in pieces, so that a body of nothing else does not stop the event loop', async () => {
    const seen: string[] = []
    const context = {
      progress: () => undefined,
      call: () => Promise.resolve({}),
      scratch: {
        decode: (text: string) => {
          seen.push(text)
          return Promise.resolve({ id: '0'.repeat(32), size: text.length })
        },
        remove: () => Promise.resolve(),
      },
    } as unknown as HandlerContext
    const pairs = 2 * 1024 * 1024
    const turns = await turnsOf(async () => await recordingOf({ audio_base64: `data:audio/mpeg;base64,${'A\n'.repeat(pairs)}` }, context))
    expect(seen).to.deep.equal(['A'.repeat(pairs)])
    expect(turns).to.be.at.least(60)
  })
})
