import { escaped, page, row } from '../scored/markup.js'
import { written } from './money.js'
import type { Paper } from './paper.js'
import type { Printed } from './sums.js'

export type Design = 'form' | 'letter' | 'ledger' | 'receipt' | 'across'

/** The page of a paper; `at` is its place in the list, which varies typeface, size, rules and places. */
export function drawn(paper: Paper, sums: readonly Printed[], at: number): string {
  return page(paper.language, STYLE + styleOf(at), DESIGNS[paper.design](paper, sums, at))
}

const FONTS = ['Liberation Sans', 'DejaVu Sans', 'Liberation Serif', 'Carlito', 'Liberation Sans Narrow']
const STYLE = `@page{size:A4;margin:15mm}body{color:#111;margin:0}table{border-collapse:collapse}td,th{padding:1mm 1.5mm;text-align:left;vertical-align:top}.n{text-align:right}
.items{width:100%;margin-top:8mm}.sums{margin:4mm 0 0 auto}.two{display:flex;justify-content:space-between}.slip{width:85mm}.slip table{width:100%}`
const styleOf = (at: number): string =>
  `body{font:${['9.5', '10', '10.5', '9'][at % 4] ?? '10'}pt '${FONTS[at % FONTS.length] ?? ''}','Noto Sans CJK JP'}` +
  `.items th{border-bottom:${at % 3 === 0 ? '1pt solid #000' : '0.4pt solid #888'};${at % 4 === 1 ? 'background:#e8e8e8' : ''}}` +
  `.items td{border-bottom:${at % 2 === 0 ? '0.3pt solid #bbb' : '0'}}.strong{${at % 5 === 0 ? '' : 'font-weight:bold;'}${at % 3 === 1 ? 'border-top:0.6pt solid #000' : ''}}`

const money = ({ style, sign, signFirst }: Paper, amount: number, withSign: boolean): string => {
  const digits = written(amount, style)
  if (!withSign || sign === '') return digits
  return signFirst ? `${amount < 0 ? '-' : ''}${sign}${digits.replace(/^-/, '')}` : `${digits} ${sign}`
}
const sender = ({ seller }: Paper): string => `<b>${escaped(seller[0] ?? '')}</b><br>${seller.slice(1).map(escaped).join('<br>')}`
const facts = (paper: Paper, mark: string): string[][] => paper.facts.map(([label, value]) => [`${escaped(label)}${mark}`, escaped(value)])
const receiver = ({ buyer, to }: Paper): string => `${to === '' ? '' : `${escaped(to)}<br>`}${buyer.map(escaped).join('<br>')}`

function items(paper: Paper, foot = ''): string {
  const { headings, lines } = paper
  const cell = (text: string, isNumber: boolean, tag = 'td') => `<${tag}${isNumber ? ' class="n"' : ''}>${escaped(text)}</${tag}>`
  const head = headings.length === 0 ? '' : `<tr>${headings.map((text, at) => cell(text, at > 0, 'th')).join('')}</tr>`
  const body = lines.map(({ text, quantity, price }) =>
    [text, String(quantity), money(paper, price, false), money(paper, quantity * price, paper.signedLines === true)]
      .map((each, at) => cell(each, at > 0))
      .join(''),
  )
  return `<table class="items"><thead>${head}</thead><tbody>${body.map((each) => `<tr>${each}</tr>`).join('')}${foot}</tbody></table>`
}

const sumRow = (paper: Paper, { label, amount, strong }: Printed, mark: string, before = ''): string =>
  `<tr>${before}<td${strong ? ' class="strong"' : ''}>${escaped(label)}${mark}</td><td class="n${strong ? ' strong' : ''}">${money(paper, amount, paper.signedSums === 'all' || (strong && paper.signedSums === 'strong'))}</td></tr>`

const DESIGNS: Readonly<Record<Design, (paper: Paper, sums: readonly Printed[], at: number) => string>> = {
  /** Sender, facts at the right, receiver, a table and the sums right below it. */
  form: (paper, sums, at) =>
    `${sender(paper)}<h2>${escaped(paper.title)}</h2><div class="two"><div>${receiver(paper)}</div><table>${facts(
      paper,
      at % 2 === 0 ? ':' : '',
    )
      .map((each) => row(each))
      .join('')}</table></div>${items(paper)}<table class="sums">${sums.map((each) => sumRow(paper, each, '')).join('')}</table>`,
  /** Receiver in the window, facts as a band of labels over values, sums in the foot of the table. */
  letter: (paper, sums, at) => {
    const known = facts(paper, '')
    return `<div class="two"><div style="margin-top:12mm">${receiver(paper)}</div><div>${sender(paper)}</div></div><h2>${escaped(paper.title)}</h2>
<table style="width:100%">${row(known.map(([label = '']) => label))}${row(known.map(([, value = '']) => value))}</table>
${items(paper, sums.map((each) => sumRow(paper, each, at % 2 === 0 ? ':' : '', '<td></td><td></td>')).join(''))}`
  },
  /** Facts in one column at the left, sums at the left below a ruled table. */
  ledger: (paper, sums) =>
    `<div style="text-align:right">${sender(paper)}</div><h2>${escaped(paper.title)}</h2><table>${facts(paper, ':')
      .map((each) => row(each))
      .join(
        '',
      )}</table><p>${receiver(paper)}</p>${items(paper)}<table style="margin-top:6mm;width:110mm">${sums.map((each) => sumRow(paper, each, '')).join('')}</table>`,
  /** A slip: count and text, the amount at the end, sums below. */
  receipt: (paper, sums) => {
    const line = ({ text, quantity, price }: Paper['lines'][number]) =>
      `<tr><td>${String(quantity)} x ${escaped(text)}</td><td class="n">${money(paper, quantity * price, false)}</td></tr>`
    return `<div class="slip">${sender(paper)}<p>${facts(paper, ' ')
      .map((each) => each.join(''))
      .join(
        '<br>',
      )}</p><table>${paper.lines.map(line).join('')}</table><hr><table>${sums.map((each) => sumRow(paper, each, '')).join('')}</table></div>`
  },
  /** Sums as a band of labels over amounts. */
  across: (paper, sums) =>
    `${sender(paper)}<h2>${escaped(paper.title)}</h2><div class="two"><div>${receiver(paper)}</div><table>${facts(paper, ':')
      .map((each) => row(each))
      .join('')}</table></div>${items(paper)}<table style="width:100%;margin-top:8mm">${row(sums.map(({ label }) => escaped(label)))}${row(
      sums.map(({ amount, strong }) => money(paper, amount, strong && paper.signedSums !== undefined)),
    )}</table>`,
}
