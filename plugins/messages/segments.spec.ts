import { expect } from 'chai'
import { segmentsOf } from './segments.js'

const GSM = '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ'

describe('segments of an SMS', () => {
  const cases: readonly (readonly [string, string, ReturnType<typeof segmentsOf>])[] = [
    ['one character', 'a', { encoding: 'GSM-7', segments: 1, units: 1 }],
    ['160 of GSM-7', 'a'.repeat(160), { encoding: 'GSM-7', segments: 1, units: 160 }],
    ['161 of GSM-7', 'a'.repeat(161), { encoding: 'GSM-7', segments: 2, units: 161 }],
    ['306 of GSM-7', 'a'.repeat(306), { encoding: 'GSM-7', segments: 2, units: 306 }],
    ['307 of GSM-7', 'a'.repeat(307), { encoding: 'GSM-7', segments: 3, units: 307 }],
    ['1,600 of GSM-7', 'a'.repeat(1_600), { encoding: 'GSM-7', segments: 11, units: 1_600 }],
    ['the beginning of the basic set', GSM, { encoding: 'GSM-7', segments: 1, units: GSM.length }],
    ['the extension table, which counts twice', '^{}\\[~]|€\f', { encoding: 'GSM-7', segments: 1, units: 20 }],
    ['80 euro signs', '€'.repeat(80), { encoding: 'GSM-7', segments: 1, units: 160 }],
    ['81 euro signs: an escape stays with its character, so 76 fit', '€'.repeat(153), { encoding: 'GSM-7', segments: 3, units: 306 }],
    ['a euro sign at the end of a part', `${'a'.repeat(152)}€${'a'.repeat(152)}`, { encoding: 'GSM-7', segments: 3, units: 306 }],
    ['70 of UCS-2', 'я'.repeat(70), { encoding: 'UCS-2', segments: 1, units: 70 }],
    ['71 of UCS-2', 'я'.repeat(71), { encoding: 'UCS-2', segments: 2, units: 71 }],
    ['134 of UCS-2', 'я'.repeat(134), { encoding: 'UCS-2', segments: 2, units: 134 }],
    ['one emoji, which counts twice', '😀', { encoding: 'UCS-2', segments: 1, units: 2 }],
    ['35 emoji', '😀'.repeat(35), { encoding: 'UCS-2', segments: 1, units: 70 }],
    ['67 emoji: 33 fit into a part, since none is cut in two', '😀'.repeat(67), { encoding: 'UCS-2', segments: 3, units: 134 }],
    ['1,600 emoji', '😀'.repeat(1_600), { encoding: 'UCS-2', segments: 49, units: 3_200 }],
    ['one letter that GSM-7 lacks makes all of it UCS-2', `${'a'.repeat(100)}ç`, { encoding: 'UCS-2', segments: 2, units: 101 }],
    ['a tab is not in GSM-7', 'a\tb', { encoding: 'UCS-2', segments: 1, units: 3 }],
  ]
  for (const [name, text, wanted] of cases)
    it(name, () => {
      expect(segmentsOf(text)).to.deep.equal(wanted)
    })
})
