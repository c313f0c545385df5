import { expect } from 'chai'
import { canonical, embeddedV4, isPublic, REFUSED_V4, REFUSED_V6 } from '../../../core/outbound/address.js'

/** The IANA special-purpose registries and our two additions, as first and last address: written out here, apart from the code. */
const V4: readonly [string, string][] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
]
const V6_GLOBAL: readonly [string, string] = ['2000::', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff']
const V6_HOLES: readonly [string, string][] = [
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
]

const four = (text: string): bigint => text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n)
const fourText = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.')
function six(text: string): bigint {
  const [left = '', right = ''] = text.split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right === '' ? [] : right.split(':')
  const groups = text.includes('::') ? [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail] : head
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n)
}
const sixText = (value: bigint): string =>
  Array.from({ length: 8 }, (_, group) => ((value >> BigInt(112 - group * 16)) & 0xffffn).toString(16)).join(':')

const publicFour = (value: bigint): boolean => !V4.some(([first, last]) => value >= four(first) && value <= four(last))
function publicSix(value: bigint): boolean {
  if (value >> 32n === 0xffffn || value >> 32n === six('64:ff9b::') >> 32n) return publicFour(value & 0xffffffffn)
  return (
    value >= six(V6_GLOBAL[0]) && value <= six(V6_GLOBAL[1]) && !V6_HOLES.some(([first, last]) => value >= six(first) && value <= six(last))
  )
}

describe('outbound: which addresses are public', () => {
  it('T-16 IPv4 blocks are right at both edges and at each single bit', () => {
    const wrong: string[] = []
    let tried = 0
    for (const edge of V4.flat().map(four)) {
      const around = [edge, edge - 1n, edge + 1n, ...Array.from({ length: 32 }, (_, bit) => edge ^ (1n << BigInt(bit)))]
      for (const value of around.filter((one) => one >= 0n && one < 1n << 32n)) {
        tried++
        if (isPublic(fourText(value)) !== publicFour(value)) wrong.push(fourText(value))
      }
    }
    expect(wrong).to.deep.equal([])
    expect(tried).to.be.above(1000)
  })

  it('T-16 IPv6 blocks are right at both edges and at each single bit', () => {
    const wrong: string[] = []
    const edges = [
      ...V6_GLOBAL,
      ...V6_HOLES.flat(),
      '::',
      '::1',
      '::ffff:0:0',
      '64:ff9b::',
      '64:ff9b:1::',
      '100::',
      '5f00::',
      'fc00::',
      'fe80::',
      'fec0::',
      'ff00::',
    ]
    let tried = 0
    for (const edge of edges.map(six)) {
      const around = [edge, edge - 1n, edge + 1n, ...Array.from({ length: 128 }, (_, bit) => edge ^ (1n << BigInt(bit)))]
      for (const value of around.filter((one) => one >= 0n && one < 1n << 128n)) {
        tried++
        if (isPublic(sixText(value)) !== publicSix(value)) wrong.push(sixText(value))
      }
    }
    expect(wrong).to.deep.equal([])
    expect(tried).to.be.above(2000)
  })

  it('T-16 every IPv4 edge stays refused inside each IPv6 form that carries it', () => {
    const wrong: string[] = []
    for (const value of V4.flat().map(four)) {
      const inverted = value ^ 0xffffffffn
      const carriers = [
        six('::ffff:0:0') | value,
        value,
        six('64:ff9b::') | value,
        six('64:ff9b:1::') | value,
        six('2002::') | (value << 80n),
        six('2001:0:1:2::') | inverted,
      ]
      for (const carrier of carriers) if (isPublic(sixText(carrier))) wrong.push(sixText(carrier))
    }
    expect(wrong).to.deep.equal([])
  })

  it('T-16 a public IPv4 address passes as mapped and as NAT64, and in no other form', () => {
    expect(['8.8.8.8', '::ffff:8.8.8.8', '::ffff:808:808', '64:ff9b::808:808'].map(isPublic)).to.deep.equal([true, true, true, true])
    expect(['::8.8.8.8', '2002:808:808::1', '64:ff9b:1::808:808', '2001:0:1:2::f7f7:f7f7'].map(isPublic)).to.deep.equal([
      false,
      false,
      false,
      false,
    ])
  })

  it('T-16 the embedded address is found in all six forms', () => {
    const bytes = (text: string): number[] => Array.from({ length: 16 }, (_, at) => Number((six(text) >> BigInt(120 - at * 8)) & 255n))
    const forms = ['::ffff:a01:203', '::a01:203', '64:ff9b::a01:203', '64:ff9b:1::a01:203', '2002:a01:203::', '2001:0:1:2::f5fe:fdfc']
    expect(forms.map((form) => embeddedV4(bytes(form))?.join('.'))).to.deep.equal(Array(6).fill('10.1.2.3'))
    expect(embeddedV4(bytes('2606:4700::1'))).to.equal(null)
  })

  it('T-16 what is not a plain address is not public', () => {
    for (const text of [
      '',
      'example.com',
      '8.8.8',
      '8.8.8.8.',
      '08.8.8.8',
      '0x8.8.8.8',
      '134744072',
      '[2606:4700::1]',
      '2606:4700::1%eth0',
      'fe80::1%1',
      ' 8.8.8.8',
    ]) {
      expect(isPublic(text), text).to.equal(false)
    }
  })

  it('the tables of the code list each block once', () => {
    expect(new Set([...REFUSED_V4, ...REFUSED_V6]).size).to.equal(REFUSED_V4.length + REFUSED_V6.length)
  })

  it('one address has one spelling', () => {
    expect(['::ffff:7f00:1', '::ffff:127.0.0.1', '127.0.0.1'].map(canonical)).to.deep.equal(['127.0.0.1', '127.0.0.1', '127.0.0.1'])
    expect(canonical('0:0::1')).to.equal('::1')
    expect(canonical('nonsense')).to.equal(null)
  })
})
