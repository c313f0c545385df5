import { expect } from 'chai'
import { DEVICES } from '../../../../plugins/convert/engines/ghostscript/devices.js'
import { POPPLER } from '../../../../plugins/convert/pairs/poppler.js'
import { coloured, drawn, marks, printed, says, shapes, told, typeset, type Check } from '../checks.js'
import { pdf } from '../pdf.js'
import { TEXTS } from '../texts.js'
import type { Trip } from './types.js'

const WORDS = 'Words of a sample'
const PICTURES = ['png', 'jpeg', 'tiff']

const JOB = '\x1b%-12345X'

/** PCL XL for a printer, which nothing here reads: from the words that begin a job to those that end it. */
const printable: Check = (bytes) => {
  const text = bytes.toString('latin1').trimEnd()
  expect(text.startsWith(`${JOB}@PJL`)).to.equal(true)
  expect(text).to.contain(') HP-PCL XL;')
  expect(text.slice(-JOB.length)).to.equal(JOB)
}

const twoPages: Check = (bytes) => {
  expect(told('bsdtar', ['-tf', 'result'], bytes).trim().split('\n')).to.have.length(2)
}

/** A PDF of one page into everything; PostScript too. */
export function pages(): Trip[] {
  const check = (to: string): { check?: Check } => {
    if (to === 'pdf') return { check: printed(WORDS) }
    if (PICTURES.includes(to)) return { check: drawn({}) }
    if (to === 'ppm') return { check: coloured() }
    if (to === 'svg') return { check: shapes() }
    if (to === 'ps' || to === 'eps') return { check: to === 'ps' ? typeset(WORDS) : marks() }
    return { check: to === 'pxl' ? printable : says(WORDS) }
  }
  return [
    ...POPPLER.groups
      .flatMap(({ to }) => to)
      .map((to) => ({ engine: 'poppler', data: pdf([WORDS]), steps: [{ from: 'pdf', to, ...check(to) }] })),
    ...['ps', 'eps'].flatMap((from) =>
      Object.keys(DEVICES)
        .filter((to) => to !== from)
        .map((to) => ({
          engine: 'ghostscript',
          data: TEXTS[from] ?? '',
          steps: [{ from, to, ...(from === 'ps' && DEVICES[to]?.pages === true ? { check: twoPages } : check(to)) }],
        })),
    ),
  ]
}
