import { expect } from 'chai'
import fc from 'fast-check'
import { LinkSigner } from '../../../core/files/own-links.js'

const ID = 'AbCdEfGhIjKlMnOpQrStUv'
const signer = new LinkSigner('ab'.repeat(32))
const EXPIRES = 1_800_000_000

function partsOf(link: string): { id: string; expires: string; signature: string } {
  const url = new URL(link, 'http://gateway.test')
  return {
    id: url.pathname.split('/')[2] ?? '',
    expires: url.searchParams.get('expires') ?? '',
    signature: url.searchParams.get('signature') ?? '',
  }
}
const link = partsOf(signer.sign(ID, 'shot one.png', EXPIRES))
const valid = (change: Partial<typeof link>, now = (EXPIRES - 1) * 1000): boolean => {
  const { id, expires, signature } = { ...link, ...change }
  return signer.valid(id, expires, signature, now)
}

describe('links to files', () => {
  it('are valid until their second comes', () => {
    expect(signer.sign(ID, 'shot one.png', EXPIRES)).to.match(/^\/files\/AbCdEfGhIjKlMnOpQrStUv\/shot%20one\.png\?/)
    expect(valid({}, EXPIRES * 1000 - 1)).to.equal(true)
    expect(valid({}, EXPIRES * 1000)).to.equal(false)
  })

  it('T-57 no single bit of id, expiry or signature can be changed', () => {
    fc.assert(
      fc.property(fc.constantFrom('id', 'expires', 'signature' as const), fc.nat(200), fc.integer({ min: 0, max: 6 }), (part, at, bit) => {
        const bytes = Buffer.from(link[part], 'latin1')
        const index = at % bytes.length
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit)
        expect(valid({ [part]: bytes.toString('latin1') })).to.equal(false)
      }),
      { numRuns: 2_000 },
    )
  })

  it('T-57 no other spelling of a good signature or expiry is taken', () => {
    const last = link.signature.at(-1) ?? ''
    for (const other of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
      if (other !== last) expect(valid({ signature: link.signature.slice(0, -1) + other }), other).to.equal(false)
    for (const signature of ['', `${link.signature}=`, `${link.signature}!`, ` ${link.signature}`, link.signature.slice(0, -1)])
      expect(valid({ signature }), signature).to.equal(false)
    for (const expires of [`0${EXPIRES}`, `+${EXPIRES}`, `${EXPIRES}.0`, `${EXPIRES}e0`, ' ', '', 'NaN', '9'.repeat(13)])
      expect(valid({ expires }), expires).to.equal(false)
  })

  it("T-57 a link of another gateway's secret is not ours", () => {
    const foreign = partsOf(new LinkSigner('cd'.repeat(32)).sign(ID, 'x', EXPIRES))
    expect(valid({ signature: foreign.signature })).to.equal(false)
  })
})
