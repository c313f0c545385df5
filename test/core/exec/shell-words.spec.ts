import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { wordsText } from '../../../core/exec/launcher.js'

describe('core/exec words for a shell', function () {
  this.timeout(60_000)

  it('words of a job arrive as they are, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''))), (words) => {
        const given = words.map((word) => Buffer.from(word).toString())
        const args = ['-c', 'eval "$0"; [ "$#" = 0 ] || printf "%s\\0" "$@"', wordsText(given, { A: 'b' })]
        const { stdout } = spawnSync('sh', args, { encoding: 'utf8' })
        expect(stdout).to.equal(given.map((word) => `${word}\0`).join(''))
      }),
      { numRuns: 50 },
    )
  })
})
