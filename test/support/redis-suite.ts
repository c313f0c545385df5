import type { Suite } from 'mocha'
import { needsProgram } from './needs.js'
import { Links, startRedis, type TestRedis } from './redis.js'

/**
 * A Redis server for the tests of a suite, emptied before each of them, and links that are closed after each. To be called first in the
 * body of `describe`; the server answers only within hooks and tests.
 */
export function useRedis(suite: Suite): { readonly redis: TestRedis; readonly links: Links } {
  suite.timeout(20_000)
  const links = new Links()
  let started: TestRedis | null = null
  const server = (): TestRedis => {
    if (started === null) throw new Error('the Redis of a suite runs only within its hooks and tests')
    return started
  }
  before(async function () {
    needsProgram(this, 'redis-server')
    started = await startRedis()
  })
  after(() => started?.close())
  beforeEach(() => server().admin.flushall())
  afterEach(() => links.close())
  const redis: TestRedis = {
    get url() {
      return server().url
    },
    get port() {
      return server().port
    },
    get admin() {
      return server().admin
    },
    freeze: () => server().freeze(),
    thaw: () => server().thaw(),
    close: () => server().close(),
  }
  return { redis, links }
}
