import { expect } from 'chai'
import { AllowList, bareHost } from '../../../core/outbound/allow.js'

describe('outbound: allow_private', () => {
  it('an entry with a port opens that port alone, one without opens all', () => {
    const list = new AllowList(['127.0.0.1:9000', '10.1.2.3', 'searx.lan:8080', 'wiki.lan', '[fd00::1]:81', 'fd00::2'])
    expect([list.address('127.0.0.1', 9000), list.address('127.0.0.1', 9001), list.address('10.1.2.3', 1)]).to.deep.equal([
      true,
      false,
      true,
    ])
    expect([list.name('searx.lan', 8080), list.name('searx.lan', 80), list.name('wiki.lan', 5)]).to.deep.equal([true, false, true])
    expect([list.address('fd00::1', 81), list.address('fd00::1', 82), list.address('fd00::2', 82)]).to.deep.equal([true, false, true])
  })

  it('T-16 a block opens its addresses and their mapped form, and not its neighbours or other carriers', () => {
    const list = new AllowList(['10.0.0.0/30', 'fd00::/64'])
    expect(['10.0.0.3', '::ffff:10.0.0.3', 'fd00::ffff'].map((address) => list.address(address, 443))).to.deep.equal([true, true, true])
    expect(['10.0.0.4', '2002:a00:1::', '64:ff9b::a00:1', 'fd00:0:0:1::', 'x'].map((address) => list.address(address, 443))).to.deep.equal([
      false,
      false,
      false,
      false,
      false,
    ])
  })

  it('names are compared as hosts of parsed URLs', () => {
    const list = new AllowList(['Bücher.Example', ' spaced.lan '])
    expect([list.name('xn--bcher-kva.example', 80), list.name('spaced.lan', 80), list.name('sub.spaced.lan', 80)]).to.deep.equal([
      true,
      true,
      false,
    ])
    expect([bareHost('[::1]'), bareHost('a.b.'), bareHost('a..')]).to.deep.equal(['::1', 'a.b', 'a.'])
  })

  it('an entry that cannot be read is named in the error', () => {
    for (const entry of [
      '10.0.0.0/33',
      '10.0.0.0/-1',
      'host:0',
      'host:65536',
      'host:',
      'http://host',
      'a b',
      '*.lan',
      'user@host',
      '10.0.0.0/8:80',
      '[::1',
      '',
      '/8',
      'host/path',
      'fd00::/129',
    ]) {
      expect(() => new AllowList(['ok.lan', entry]), entry).to.throw(RangeError, `"${entry}"`)
    }
  })
})
