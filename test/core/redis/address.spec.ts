import { expect } from 'chai'
import { ConfigError } from '../../../core/problems/errors.js'
import { redisAddress } from '../../../core/redis/address.js'

const read = (text: string) => redisAddress(text, 'CAPSTAN_REDIS')

describe('the address of Redis', () => {
  it('is taken apart, with its defaults', () => {
    const plain = { host: 'cache.example.com', port: 6379, username: '', password: '', db: 0, tls: false }
    expect(read('redis://cache.example.com')).to.deep.equal(plain)
    expect(read('redis://cache.example.com/')).to.deep.equal(plain)
    expect(read('rediss://ada:p%40ss%2Fw%23rd@cache.example.com:6380/3')).to.deep.equal({
      ...plain,
      port: 6380,
      username: 'ada',
      password: 'p@ss/w#rd',
      db: 3,
      tls: true,
    })
    expect(read('redis://:only@cache.example.com')).to.deep.equal({ ...plain, password: 'only' })
    expect(read('redis://[::1]:7000').host).to.equal('::1')
  })

  it('that is none is refused in one line that names the setting and shows no password', () => {
    for (const [text, says] of [
      ['redis://', 'must be redis://'],
      ['http://canary-secret@host', 'must be redis://'],
      ['redis://:canary-secret@host:port', 'must be redis://'],
      ['redis://:canary-secret@host/zero', 'number of a database'],
      ['redis://:canary-secret@host/0/1', 'number of a database'],
      ['redis://:canary-secret@host?enableOfflineQueue=true', '?options'],
      ['redis://:canary#secret@host', 'must be redis://'],
      ['redis://host#secret', '?options'],
      ['redis://canary-secret@host', 'without a password'],
      ['redis://:canary-secret%zz@host', 'percent sign'],
    ] as const) {
      let error: unknown
      try {
        read(text)
      } catch (caught) {
        error = caught
      }
      expect(error, text).to.be.instanceOf(ConfigError)
      const { message } = error as ConfigError
      expect(message, text).to.match(/^CAPSTAN_REDIS: [^\n]+$/)
      expect(message, text).to.contain(says)
      expect(message, text).not.to.contain('secret')
    }
  })
})
