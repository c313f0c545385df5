import { expect } from 'chai'
import { Fault } from '../../core/sdk/index.js'
import { addressViolations } from './page/address.js'
import { decode } from '../_shared/charset/charset.js'
import { kindOf } from './page/kind.js'
import { refusePrivate } from './page/vendor-request.js'
import { statusFault } from './page/status.js'
import { bounded } from './page/worker.js'
import type { Source } from './work/source.js'
import { scrape } from './contract.js'

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)
const bytesOf = (source: Source): Uint8Array => (typeof source === 'string' ? Buffer.from(source) : source.bytes)

describe('scrape: character sets', () => {
  const SHIFT_JIS = bytes(0x82, 0xe2, 0x82, 0xa9, 0x82, 0xf1)
  const meta = (label: string, body: Uint8Array): Uint8Array =>
    Buffer.concat([Buffer.from(`<html><head><meta charset="${label}"></head>`), body])
  it('takes the header', () => {
    expect(decode(SHIFT_JIS, 'shift_jis')).to.equal('やかん')
    expect(decode(bytes(0xcb, 0xae, 0xba, 0xf8), 'gb18030')).to.equal('水壶')
    expect(decode(bytes(0xf7, 0xe0, 0xe9), 'windows-1251')).to.equal('чай')
  })
  it('takes a meta element, also the long form, and an XML declaration', () => {
    expect(decode(meta('Shift_JIS', SHIFT_JIS), '')).to.contain('やかん')
    expect(
      decode(
        Buffer.concat([Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'), bytes(0xf7, 0xe0, 0xe9)]),
        '',
      ),
    ).to.contain('чай')
    expect(decode(Buffer.concat([Buffer.from('<?xml version="1.0" encoding="gb18030"?><a>'), bytes(0xcb, 0xae)]), '')).to.contain('水')
  })
  it('lets the byte order mark win over the header', () => {
    expect(decode(Buffer.concat([bytes(0xff, 0xfe), Buffer.from('tea', 'utf16le')]), 'windows-1252')).to.equal('tea')
    expect(decode(Buffer.concat([bytes(0xef, 0xbb, 0xbf), Buffer.from('täe')]), 'latin1')).to.equal('täe')
  })
  it('knows UTF-16 without a mark, and does not believe a meta element that says so', () => {
    expect(decode(Buffer.from('<p>tea</p>', 'utf16le'), '')).to.equal('<p>tea</p>')
    expect(decode(meta('utf-16', Buffer.from('tä')), '')).to.contain('tä')
  })
  it('falls back to UTF-8 when valid, else windows-1252, and passes over unknown labels', () => {
    expect(decode(Buffer.from('tä'), 'no-such-set')).to.equal('tä')
    expect(decode(bytes(0x74, 0xe4, 0x80), '')).to.equal('tä€')
  })
})

describe('scrape: what a thread is sent of a document', () => {
  it('is its bytes alone, copied only where they share their memory', () => {
    const whole = bytes(1, 2, 3)
    expect(bounded({ bytes: whole, charset: '' })).to.deep.equal({ bytes: whole, charset: '' })
    expect(bytesOf(bounded({ bytes: whole, charset: '' })).buffer).to.equal(whole.buffer)
    const part = bytesOf(bounded({ bytes: whole.subarray(1), charset: '' }))
    expect([...part]).to.deep.equal([2, 3])
    expect(part.buffer.byteLength).to.equal(2)
  })
})

describe('scrape: what an address holds', () => {
  it('goes by type, and by bytes where the type says nothing', () => {
    const text = Buffer.from('hello')
    expect(kindOf('text/html', text, '/')).to.equal('html')
    expect(kindOf('application/ld+json', text, '/')).to.equal('text')
    expect(kindOf('image/png', text, '/')).to.equal('other')
    expect(kindOf('text/plain', Buffer.from('%PDF-1.7'), '/')).to.equal('pdf')
    expect(kindOf('', Buffer.from('<!doctype html><p>x'), '/')).to.equal('html')
    expect(kindOf('application/octet-stream', bytes(1, 0, 2), '/')).to.equal('other')
    expect(kindOf('application/octet-stream', Buffer.from('PK\u0003\u0004xx'), '/a.docx')).to.equal('docx')
    expect(kindOf('application/zip', Buffer.from('PK\u0003\u0004xx'), '/a.zip')).to.equal('other')
    expect(kindOf('application/zip', Buffer.from('PK\u0003\u0004xx xl/workbook.xml'), '/a')).to.equal('office')
    expect(kindOf('', Buffer.from('PK\u0003\u0004xx mimetypeapplication/epub+zip'), '/a')).to.equal('office')
    expect(kindOf('application/vnd.oasis.opendocument.text', text, '/')).to.equal('office')
    expect(kindOf('application/vnd.ms-excel', bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), '/')).to.equal('office')
    expect(kindOf('application/vnd.ms-excel', Buffer.from('a,b'), '/')).to.equal('text')
  })
  for (const [status, kind] of [
    [200, null],
    [204, null],
    [301, 'blocked'],
    [400, 'blocked'],
    [401, 'blocked'],
    [403, 'blocked'],
    [404, 'missing'],
    [410, 'missing'],
    [429, 'unavailable'],
    [451, 'blocked'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ] as const) {
    it(`reads status ${status} as ${kind ?? 'a page'}`, () => {
      const fault = statusFault(status)
      expect(fault?.unavailable === true ? 'unavailable' : (fault?.kind ?? null)).to.equal(kind)
    })
  }
  it('passes on when a page wants to be asked again', () => {
    expect(statusFault(429, '120')?.retryAfterSeconds).to.equal(120)
    expect(statusFault(503, 'soon')?.retryAfterSeconds).to.equal(undefined)
  })

  it('T-34 refuses addresses of other schemes, with credentials and incomplete ones at the field', () => {
    for (const url of [
      'file:///etc/passwd',
      'view-source:http://a.example/',
      'chrome://gpu',
      'data:text/html,x',
      'ftp://a.example/',
      'javascript:1',
      '/x',
      'http://u:p@a.example/',
    ]) {
      expect(addressViolations(url).map(({ loc }) => loc)).to.deep.equal([['url']])
    }
    expect(addressViolations('https://käse.example/ö?q=ü#x')).to.deep.equal([])
  })
  it('T-15 sends no private address to a remote vendor', () => {
    for (const host of [
      '10.1.2.3',
      '127.1',
      '0x7f.1',
      '2130706433',
      '169.254.169.254',
      '172.31.0.1',
      '192.168.0.1',
      '100.64.0.1',
      '198.18.0.1',
      '0',
      '[::1]',
      '[fd00::1]',
      '[::ffff:10.0.0.1]',
      '[2002:a00:1::]',
      'localhost',
      'intranet',
      'db.internal',
      'printer.local',
    ])
      expect(() => refusePrivate(`http://${host}/`), host)
        .to.throw(Fault)
        .with.property('kind', 'blocked')
    for (const host of ['a.example', '8.8.8.8', '172.32.0.1', '[2606:4700::1111]'])
      expect(() => refusePrivate(`http://${host}/`), host).not.to.throw()
  })
})

describe('scrape: capability', () => {
  const input = { url: 'https://a.example/', mode: 'fast' as const, output: 'markdown' as const, wait_for: null, timeout: 30 }
  it('costs 1, 2 and 5 and ends timeout + 15 s later, thorough 60 s more', () => {
    const limit = scrape.timeoutMs
    if (typeof limit !== 'function') throw new Error('the limit depends on the input')
    expect(
      (['fast', 'standard', 'thorough'] as const).map((mode) => [scrape.price.quote({ ...input, mode }), limit({ ...input, mode })]),
    ).to.deep.equal([
      [1, 45_000],
      [2, 45_000],
      [5, 105_000],
    ])
  })
  it('names the ports a mode cannot do without', () => {
    const ports = (mode: 'fast' | 'standard' | 'thorough'): string[] => (scrape.requires?.({ ...input, mode }) ?? []).map(({ id }) => id)
    expect([ports('fast'), ports('standard'), ports('thorough')]).to.deep.equal([
      ['scrape.fetch'],
      ['scrape.render'],
      ['scrape.render', 'scrape.stealth'],
    ])
  })
})
