import { expect } from 'chai'
import { addressesIn } from './addresses-in.js'

const MIB = 1_000_000
const MOST_STEPS = 30_000

/** How often a regular expression is executed during the work. */
function stepsOf(work: () => unknown): number {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its regular expression below
  const { exec } = RegExp.prototype
  let steps = 0
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    steps++
    return exec.call(this, text)
  }
  try {
    work()
  } finally {
    RegExp.prototype.exec = exec
  }
  return steps
}

describe('emails.find: addresses on a page', () => {
  it('as they stand, with entities, and with words against harvesters; also at names below the domain', () => {
    const text =
      'Ada@Example.com, <a href="mailto:b.c@example.com?x">, d&#64;example.com e&#x40;example.com f&commat;example.com g%40example.com ' +
      '"h\\u0040example.com" i [at] example.com j (at)example.com k {ät} example.com l@mail.example.com \\u003cm@example.com\\u003e ada@example.com'
    expect(addressesIn(text, 'example.com')).to.deep.equal([
      ...['ada', 'b.c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'].map((local) => `${local}@example.com`),
      'l@mail.example.com',
      'm@example.com',
    ])
  })

  it('not those of longer domains, of none, or longer than addresses are', () => {
    const text =
      'a@example.com.br b@example.company c@notexample.com @example.com x@example.com-pany d..e@example.com https://example.com/ at example.com ' +
      `${'f'.repeat(65)}@example.com example.com`
    expect(addressesIn(text, 'example.com')).to.deep.equal([])
    expect(addressesIn('', 'example.com')).to.deep.equal([])
    expect(addressesIn('a@example.com.', 'example.com')).to.deep.equal(['a@example.com'])
  })

  it('a megabyte of anything takes few steps', () => {
    const hostile: Readonly<Record<string, string>> = {
      'the same address': 'aaaa@x.co ',
      'long names before it': `${'a'.repeat(64)}@x.co `,
      'many addresses': 'a@x.co,',
      'the domain alone': 'x.co ',
      'one name of it': 'x.co.',
      'brackets and blanks': ' [ at ] x.co',
      blanks: ' ',
      'open brackets': '[ [ [ ',
      'at signs': '@',
      entities: '&#0064;',
      'none that is one': `${'a..'.repeat(21)}a@x.co `,
      'dots before it': `${'.'.repeat(250)}x.co `,
    }
    const slow: string[] = []
    for (const [what, part] of Object.entries(hostile)) {
      const text = part.repeat(Math.ceil(MIB / part.length))
      const steps = stepsOf(() => addressesIn(text, 'x.co'))
      if (steps > MOST_STEPS) slow.push(`${what}: ${String(steps)} steps`)
    }
    expect(slow).to.deep.equal([])
  })
})
