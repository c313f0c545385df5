import { expect } from 'chai'
import { format } from 'node:util'
import { makeInspector } from './guest/inspect.js'

class Point {
  x = 1
  y = -2
}
const circular: Record<string, unknown> = { a: 1 }
circular.self = circular

describe('printing of values in quickjs', () => {
  const values: Record<string, unknown[]> = {
    primitives: [1, -0, 'text', true, null, undefined, 10n, Symbol('s')],
    'nested strings': [['a', "it's", 'say "x"', 'line\nbreak', `'"`]],
    objects: [{ a: 1, 'b-c': 'x', [Symbol('k')]: 2, nested: { deep: { deeper: { deepest: 1 } } } }],
    empty: [{}, [], new Map(), new Set()],
    'short lists': [
      [1, 2, 3],
      ['a', [1, [2, [3, [4]]]]],
    ],
    'long lists of numbers': [Array.from({ length: 30 }, (_, at) => at * 7)],
    'long lists of words': [Array.from({ length: 12 }, (_, at) => 'word'.repeat((at % 3) + 1))],
    'more than a hundred': [Array.from({ length: 120 }, (_, at) => at)],
    'wide objects': [{ first: 'x'.repeat(30), second: 'y'.repeat(30), third: 'z'.repeat(30) }],
    rows: [Array.from({ length: 3 }, (_, at) => ({ id: at, name: `name ${at}`, tags: ['a', 'b'] }))],
    holes: [Array.from({ length: 2 }).concat(new Array(3), [1])],
    maps: [
      new Map<unknown, unknown>([
        ['a', 1],
        [{ k: 1 }, [2]],
      ]),
      new Set([1, 'x']),
    ],
    classes: [new Point(), Point, () => 1, function named() {}],
    accessors: [
      {
        get a() {
          return 1
        },
        set b(_: number) {},
        get c() {
          return 1
        },
        set c(_: number) {},
      },
    ],
    dates: [new Date(0), /x/g, new Date(NaN)],
    'null prototype': [Object.assign(Object.create(null) as object, { a: 1 })],
    circular: [circular],
    bytes: [new Uint8Array([1, 2, 3])],
    placeholders: ['%s is %d, %i and %f: %j %o%% %c.', 'x', 1.5, 2.9, '3.25', { a: 1 }, [1], 'css', 'more'],
    'placeholders without values': ['100% %s'],
  }
  for (const [name, given] of Object.entries(values)) {
    it(`is as Node's console.log has it: ${name}`, () => {
      const text = makeInspector().format(given)
      // Node adds the length to lists printed with %o.
      if (name === 'placeholders') expect(text).to.equal('x is 1.5, 2 and 3.25: {"a":1} [ 1 ]% . more')
      else expect(text).to.equal(format(...given))
    })
  }
  it('shows errors with their stack and cause', () => {
    const error = new Error('outer', { cause: 'inner' })
    error.stack = 'Error: outer\n    at main.js:1'
    expect(makeInspector().format([error])).to.equal("Error: outer\n    at main.js:1 {\n  [cause]: 'inner'\n}")
  })
})
