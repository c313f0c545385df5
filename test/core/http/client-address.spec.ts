import { expect } from 'chai'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { clientAddress, UNREADABLE } from '../../../core/http/client-address.js'

const TRUSTED = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']

function from(forwarded: string | undefined, peer = '127.0.0.1', trusted: readonly string[] = TRUSTED): string {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: peer })
  const request = new IncomingMessage(socket)
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  return clientAddress(request, trusted)
}

describe('N1 the address of the client', () => {
  const readable: [string, string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:52344', '203.0.113.7'],
    ['203.0.113.7, 127.0.0.1:4431', '203.0.113.7'],
    ['198.51.100.9:1, 203.0.113.7:2, 10.1.2.3:3, [fd00::1]:4', '203.0.113.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['[2001:db8::7]:52344', '2001:db8::7'],
    ['2001:db8::7:52344', '2001:db8::7'],
    ['2001:db8:0:0:0:0:0:7:443', '2001:db8::7'],
    ['"[2001:DB8::7]:52344"', '2001:db8::7'],
    ['[2001:db8::7]:_port-1', '2001:db8::7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:8080', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:80', 'fe80::1'],
    ['unknown, 203.0.113.7:1', '203.0.113.7'],
    [' , 203.0.113.7 ,, ', '203.0.113.7'],
  ]
  for (const [header, expected] of readable)
    it(`N1 of "${header}" is ${expected}`, () => {
      expect(from(header)).to.equal(expected)
    })

  const unreadable = [
    '',
    ',',
    'unknown',
    'unknown:80',
    '_hidden',
    '_SEVKISEK:_port',
    'localhost',
    '203.0.113.7, nonsense',
    '203.0.113.7, unknown, 127.0.0.1',
    '203.0.113.7:',
    '203.0.113.7:65536',
    '203.0.113.7:80:80',
    '203.0.113',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '127.1',
    '::ffff:0177.0.0.1',
    '::ffff:127.1',
    '[203.0.113.7]:80',
    '[2001:db8::7',
    '2001:db8::7]:80',
    '[2001:db8::7]80',
    '[]:80',
    '[fd00::1]:http',
    '203.0.113.7/24',
    'for=203.0.113.7',
    '"203.0.113.7',
    '127.0.0.1 203.0.113.7',
  ]
  for (const header of unreadable)
    it(`N1 of "${header}" cannot be read, and is never taken for the proxy`, () => {
      expect(from(header)).to.equal(UNREADABLE)
    })

  it('N1 is the first hop where all are trusted, and the peer without the header', () => {
    expect(from('10.0.0.5:9, 10.0.0.6')).to.equal('10.0.0.5')
    expect(from(undefined)).to.equal('127.0.0.1')
  })

  it('N1 is the peer where that is no trusted proxy, whatever it sends', () => {
    expect(from('127.0.0.1', '198.51.100.9')).to.equal('198.51.100.9')
    expect(from('203.0.113.7', '127.0.0.1', [])).to.equal('127.0.0.1')
    expect(from('203.0.113.7:80', '::ffff:10.2.3.4')).to.equal('203.0.113.7')
  })
})
