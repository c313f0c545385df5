import { expect } from 'chai'
import { printedLines } from './printed-lines.js'

describe('code: lines that a program prints', () => {
  const reports = (lines: readonly { readonly line: string; readonly left: number }[]): string[] => {
    const details: string[] = []
    let now = 0
    const onLine = printedLines({ partialResult: (_step, detail) => void details.push(detail), timeLeft: () => now })
    for (const { line, left } of lines) {
      now = left
      onLine(line)
    }
    return details
  }

  it('are reported at once when they are rare', () => {
    expect(reports([1_000, 700, 400].map((left) => ({ line: `at ${left}`, left })))).to.deep.equal(['at 1000', 'at 700', 'at 400'])
  })

  it('are reported together, four times a second, when they are many', () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => ({ line: String(at), left: 10_000 - at }))
    const found = reports(lines)
    expect(found.map((detail) => detail.split('\n').length)).to.deep.equal([1, 250, 250, 250])
    expect(found[1]?.startsWith('1\n2\n')).to.equal(true)
  })

  it('are bounded', () => {
    const flood = Array.from({ length: 100_000 }, () => ({ line: 'x'.repeat(1_000), left: 10_000 }))
    const found = reports([...flood, { line: 'last', left: 9_000 }])
    expect(found.map((detail) => detail.length)).to.deep.equal([1_000, 4_000])
  })
})
