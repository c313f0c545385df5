import { expect } from 'chai'
import { attach, detach, movedWith } from '../../../core/runtime/detach.js'

describe('core/runtime/detach', () => {
  const TEXTS: readonly (readonly [string, string, string])[] = [
    ['ASCII', 'letters '.repeat(4_000), 'latin1'],
    ['Latin letters', 'é'.repeat(20_000), 'latin1'],
    ['letters and one 😀', `${'a'.repeat(20_000)}😀`, 'utf8'],
    ['a byte order mark before letters', `\ufeff${'a'.repeat(20_000)}`, 'utf8'],
    ['漢', '漢'.repeat(20_000), 'utf16le'],
    ['letters and half of a pair', `${'a'.repeat(20_000)}\ud83d`, 'utf16le'],
  ]
  for (const [name, text, encoding] of TEXTS)
    it(`a long text is the same afterwards, in the shortest encoding that holds it: ${name}`, async () => {
      const detached = detach({ list: [{ text }, text] })
      expect(detached.strings.map((string) => string.encoding)).to.have.members([encoding, encoding])
      const sent = structuredClone(detached, { transfer: movedWith(detached) })
      expect(await attach(sent)).to.deep.equal({ list: [{ text }, text] })
      expect(sent.buffer.byteLength).to.equal(0)
    })
})
