import { expect } from 'chai'
import { masked } from '../../../core/config/mask.js'

describe('settings as people see them', () => {
  it('T-28 show no password, however it is written', () => {
    for (const [text, shown] of [
      ['redis://cache.example.com:6379', 'redis://cache.example.com:6379'],
      ['redis://user:secret@cache.example.com:6379/1', 'redis://***@cache.example.com:6379/1'],
      ['mongodb://user:se/cr@et?@db.example.com/capstan', 'mongodb://***@db.example.com/capstan'],
      ['the proxy is http://user:secret@proxy.example.com:3128 here', 'the proxy is http://***@proxy.example.com:3128 here'],
      [
        'one http://a:secret@one.example.com, two http://b:secret@two.example.com',
        'one http://***@one.example.com, two http://***@two.example.com',
      ],
      ['s3://bucket?region=eu&secret_key=secret&access_key=secret', 's3://bucket?region=eu&secret_key=***&access_key=***'],
    ] as const)
      expect(masked(text), text).to.equal(shown)
  })
})
