import { expect } from 'chai'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { expectProblem } from '../../support/problem.js'

const ECHO = '/v1/test/echo'

describe('a cap of a plugin', () => {
  let gateway: TestGateway
  before(async () => {
    gateway = await startGateway({
      script: {
        'test.echo': [
          {
            vendor: 'one',
            run: async ({ text }, { caps }) => {
              await caps.take('texts', { most: 2, per: 'day', ...(text === 'hi' ? { of: 'key' as const } : {}) })
              return { text }
            },
          },
        ],
      },
    })
  })
  after(async () => await gateway.close())

  const statuses = async (keys: readonly string[], text = 'hi'): Promise<number[]> => {
    const seen: number[] = []
    for (const key of keys) seen.push((await gateway.send(ECHO, { body: { text }, key })).status)
    return seen
  }

  it('A10 counts by account when the plugin says nothing else: keys that a key makes for itself have no counts of their own', async () => {
    const { key: other } = await gateway.newAccount(100)
    const { key } = await gateway.newAccount(100)
    const made = (await gateway.send('/v1/keys', { body: {}, key })).json<{ key: string }>().key
    const further = (await gateway.send('/v1/keys', { body: {}, key: made })).json<{ key: string }>().key
    expect(await statuses([key, made, further, key, other], 'by account')).to.deep.equal([200, 200, 429, 429, 200])
  })

  it('by key counts each by itself, and says what is left to nobody else', async () => {
    const [one, other] = [await gateway.newKey(), await gateway.newKey()]
    expect(await statuses([one.key, one.key, one.key, other.key])).to.deep.equal([200, 200, 429, 200])
    expectProblem(await gateway.send(ECHO, { body: { text: 'hi' }, key: one.key }), 'rate-limited')
  })

  it('by key, of a key with a spending cap, and of those that it has made, is one: a key cannot have more by making others', async () => {
    const { key: parent } = await gateway.newKey({ credit_limit: 100 })
    const made = async (creator: string, order: Record<string, unknown> = {}): Promise<string> =>
      (await gateway.send('/v1/keys', { body: order, key: creator })).json<{ key: string }>().key
    const child = await made(parent)
    const grandchild = await made(child, { credit_limit: 10 })
    expect(await statuses([parent, child, grandchild, parent])).to.deep.equal([200, 200, 429, 429])
  })
})
