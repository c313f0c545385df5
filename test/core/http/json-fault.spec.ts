import { expect } from 'chai'
import { jsonFault, placed } from '../../../core/http/json-fault.js'
import { parsed } from '../../../core/http/json.js'
import { Problem } from '../../../core/problems/problem.js'

const BROKEN: readonly (readonly [string, string])[] = [
  ['', ': it is empty'],
  [' \n', ': it is empty'],
  ['{', ': it ends too early: a quote, bracket or brace is not closed'],
  ['{"a": "b', ': it ends too early: a quote, bracket or brace is not closed'],
  ['{"a": "b"', ': it ends too early: a quote, bracket or brace is not closed'],
  ["{'a': 1}", ' at character 2: names and strings need double quotes (")'],
  ['{"a": ‘b’}', ' at character 7: names and strings need double quotes (")'],
  ['{a: 1}', ' at character 2: expected a name in double quotes'],
  ['{"a": b}', ' at character 7: a text needs double quotes'],
  ['{"a": 1,}', ' at character 9: remove the comma before it'],
  ['{"a": [1,]}', ' at character 10: remove the comma before it'],
  ['{"a" 1}', ' at character 6: expected a colon after the name of a field'],
  ['{"a": 1 "b": 2}', ' at character 9: a comma is missing before it'],
  ['{"a": [1 2]}', ' at character 10: expected a comma or ]'],
  ['{"a": 1] ', ' at character 8: expected a comma or }'],
  ['{"a": None}', ' at character 7: write null for no value'],
  ['{"a": NaN}', ' at character 7: write null for no value'],
  ['{"a": True}', ' at character 7: write true or false in small letters'],
  ['{"a": 05}', ' at character 7: it is not a JSON number, such as 5 or 0.5'],
  ['{"a": .5}', ' at character 7: it is not a JSON number, such as 5 or 0.5'],
  ['{"a": +1}', ' at character 7: it is not a JSON number, such as 5 or 0.5'],
  ['{"a": }', ' at character 7: expected a value'],
  ['{\n  "a": 1, // one\n}', ' at character 11 of line 2: expected a name in double quotes: JSON has no comments'],
  ['{\n  "a": 1 # one\n}', ' at character 10 of line 2: expected a comma or }: JSON has no comments'],
  ['{"a": "one\ntwo"}', ' at character 11: escape line breaks and control characters in a string with a backslash, such as \\n'],
  ['{"a": "C:\\temp\\x"}', ' at character 15: write a backslash in a string twice'],
  ['{"a": 1}}', ' at character 9: nothing may follow the JSON object'],
  ['@body.json', ' at character 1: expected a value'],
  ['a=1', ' at character 1: a text needs double quotes'],
  ['trueish', ' at character 1: a text needs double quotes'],
]

describe('where a text stops being JSON', () => {
  for (const [text, wanted] of BROKEN)
    it(`${JSON.stringify(text)}${wanted}`, () => {
      const fault = jsonFault(text)
      expect(fault).not.to.equal(null)
      if (fault !== null) expect(placed(text, fault)).to.equal(wanted)
      expect(() => parsed(text))
        .to.throw(Problem)
        .with.property('message', `The body is not valid JSON${wanted}.`)
    })

  it('finds nothing in what is JSON', () => {
    for (const value of [null, true, 0, -1.5e-3, '', 'a\n"\\\u0000é', [], {}, [[], {}, [1, 'x', null]], { a: { b: [{ c: [] }] }, d: '' }])
      for (const text of [JSON.stringify(value), ` ${JSON.stringify(value, null, 2)}\r\n\t`]) expect(jsonFault(text), text).to.equal(null)
  })

  it('finds a fault wherever JSON.parse does, in every text that one letter makes of a good one', () => {
    const good = '{"a": [1, -2.5e3, "x\\n\\u00e9", true], "b": {"c": null, "d": []}}'
    for (let at = 0; at <= good.length; at++)
      for (const letter of ['', '"', "'", '\\', ',', ':', '{', '}', '[', ']', '0', '.', 'e', '-', 't', ' ', '\n', '/']) {
        for (const text of [good.slice(0, at) + letter + good.slice(at + 1), good.slice(0, at) + letter + good.slice(at)]) {
          let valid = true
          try {
            JSON.parse(text)
          } catch {
            valid = false
          }
          expect(jsonFault(text) === null, text).to.equal(valid)
        }
      }
  })

  it('is found behind a megabyte of text and 100,000 levels', () => {
    const text = `{"a": "${'x'.repeat(1 << 20)}",}`
    expect(jsonFault(text)?.at).to.equal(text.length - 1)
    expect(jsonFault('['.repeat(100_000))?.at).to.equal(100_000)
  })
})
