import { isContact, isTown } from './address.js'
import { blocksOf, column, linesIn, type Block, type TextLine } from './blocks.js'
import { LEGAL_FORMS } from './lexicon/words.js'
import type { Paper, Read } from './document.js'
import { folded } from './fold.js'
import { hitsOf, rightOf, type Hit } from './labels.js'
import { addressIn, nameIn, partsOf, partyOf, type Party } from './party.js'
import { rowOf, textOf } from './rows.js'

interface Parties {
  readonly supplier: string | null
  readonly address: string | null
  readonly customer: string | null
}

const MAX_CANDIDATES = 60
const SALUTATION = /^(?:Frau|Herrn?|Mrs?|Ms|Mme|M\.|Monsieur|Madame|Sra?\.|Sig\.(?:ra)?|Dhr\.|Mevr\.|Pan|Pani)(?=\s)/

/** The sender of the document with its address, and the recipient. */
export function partiesOf(paper: Paper, table: ReadonlySet<Read>): Parties {
  const first = paper.rows[0]?.row.page ?? 1
  const height = paper.pages[0]?.height ?? 842
  const customers = labelled(paper, 'customer', table)
  const shipped = labelled(paper, 'shipTo', table)
  const suppliers = labelled(paper, 'supplier', table)
  const used = new Set([...customers, ...shipped].flatMap(({ lines }) => lines.map(({ row }) => row.tokens[0])))
  const blocks = blocksOf(paper, first)
    .filter(({ lines }) => !lines.some(({ read }) => table.has(read)))
    .map((block) => ({ lines: block.lines.filter(({ row }) => !used.has(row.tokens[0])) }))
    .filter(({ lines }) => lines.length > 0)
  const free = [...blocks.flatMap((block) => partyOf(block.lines, paper) ?? []), ...spread(paper, first, table)].slice(0, MAX_CANDIDATES)
  const texts = paper.rows.map(({ row }) => folded(textOf(row.tokens)))
  const customer = customers[0] ?? null
  const rated = [...suppliers.map((party) => ({ party, score: 4 })), ...free.map((party) => ({ party, score: 0 })), ...logos(blocks, paper)]
    .filter(({ party }) => party.name !== null && (customer?.name == null || folded(party.name) !== folded(customer.name)))
    .map(({ party, score }) => ({ party, score: score + supplierScore(party, texts, { height, paper }) }))
    .sort((one, two) => two.score - one.score)
  const supplier = rated[0]?.party ?? null
  const window = customer === null ? windowOf(free, supplier, height) : null
  const name = tidy(supplier?.name ?? null)
  return {
    supplier: name,
    address: supplier?.address ?? addressFor(name, [...suppliers, ...free], window ?? customer),
    customer: tidy((customer ?? window)?.name ?? null),
  }
}

/** Parties named by a label, the most certain first. */
function labelled(paper: Paper, field: 'customer' | 'supplier' | 'shipTo', table: ReadonlySet<Read>): Party[] {
  const found: { party: Party; weight: number }[] = []
  for (const hit of hitsOf(paper, field).slice(0, MAX_CANDIDATES)) {
    const marked = /:$/.test(hit.read.row.tokens[hit.to - 1]?.text ?? '') || hit.read.row.tokens[hit.to]?.text === ':'
    if (table.has(hit.read) || (!hit.apart && !marked && hit.length < 6) || (hit.length <= 3 && !marked && !isAlone(hit))) continue
    const lines = linesFor(paper, hit)
    const party = lines.length === 0 ? null : partyOf(lines, paper)
    if (party?.name == null || !/\p{L}{2}/u.test(party.name)) continue
    const weight =
      Math.min(hit.length, 10) / 5 +
      (hit.apart ? 1 : 0) +
      (party.address !== null ? 1.5 : 0) -
      hit.read.row.page -
      (hit.fields.has('shipTo') ? 1 : 0)
    found.push({ party, weight })
  }
  return found.sort((one, two) => two.weight - one.weight).map(({ party }) => party)
}

function isAlone({ read, left, right, length }: Hit): boolean {
  return length >= 2 && read.segments.some((segment) => segment.left === left && Math.abs(segment.right - right) < 1)
}

/** The lines of a party's label: beside and then below it, or below it. */
function linesFor(paper: Paper, hit: Hit): TextLine[] {
  const { read } = hit
  const size = read.row.size
  const right = rightOf(hit)
  const [first] = right
  if (first !== undefined && first.left - hit.right < 14 * size) {
    const own = right.slice(0, right.findIndex((token, at) => at > 0 && token.left - (right[at - 1]?.right ?? 0) > 1.2 * size) >>> 0)
    const row = rowOf(own, read.row.page)
    const text = textOf(own)
    const isValue =
      /\p{L}{2}/u.test(text) &&
      (first.left - hit.right < 1.2 * size || !read.labels.some(({ from, to }) => to > hit.to && read.row.tokens[from] === first))
    const isColumn =
      first.left - hit.right > 3 * size &&
      column(paper, hit, { left: hit.left, size }).length > 0 &&
      !/:$/.test(read.row.tokens[hit.to - 1]?.text ?? '')
    if (isValue && !isColumn) {
      const line: TextLine = { read, row, text, size: row.size, left: row.left, right: row.right, top: row.top, bottom: row.bottom }
      const under = column(paper, { ...hit, bottom: row.bottom }, { left: row.left, size })
      return [line, ...until(under.length > 0 ? under : column(paper, hit, { left: hit.left, size }), paper)]
    }
  }
  return until(column(paper, hit, { left: hit.left, size }), paper)
}

/** The lines up to the end of the address: another party's label, or numbers of the document. */
function until(lines: readonly TextLine[], { rows }: Paper): TextLine[] {
  const end = lines.findIndex(({ read, row }, at) => {
    const start = read.row.tokens.findIndex((token) => token === row.tokens[0])
    const label = rows[read.at]?.labels.find(({ from }) => from === start)
    if (label === undefined || label.length < 4) return false
    const isParty = ['customer', 'supplier', 'shipTo'].some((field) =>
      field === 'customer' || field === 'supplier' || field === 'shipTo' ? label.meaning.has(field) : false,
    )
    return (
      (isParty && at > 0) ||
      ['number', 'date', 'due', 'terms', 'total', 'subtotal'].some(
        (field) => [...label.meaning.keys()].some((key) => key === field) && label.length >= 5,
      )
    )
  })
  return end < 0 ? [...lines] : lines.slice(0, end)
}

/** Rows with a complete address whose separators were not recognised, only gaps. */
function spread(paper: Paper, page: number, table: ReadonlySet<Read>): Party[] {
  return paper.rows.flatMap((read): Party[] => {
    const { row, segments } = read
    if (row.page !== page || table.has(read) || segments.length < 2 || segments.length > 5) return []
    const lines = linesIn(read)
    if (lines.some(({ left }, at) => left - (lines[at - 1]?.right ?? left) > 5 * row.size)) return []
    const parts = lines.flatMap(({ text }) => partsOf(text)).map((part) => part.replace(/^[e+*«»©°o] (?=\p{Lu}|\d)/u, ''))
    if (parts.length < 3 || !parts.some(isTown)) return []
    return [{ name: nameIn(parts), address: addressIn(parts), lines, contact: parts.some(isContact), oneLine: true }]
  })
}

function supplierScore(
  { name, address, lines, contact, oneLine }: Party,
  texts: readonly string[],
  { height, paper }: { height: number; paper: Paper },
): number {
  const top = (lines[0]?.top ?? 0) / height
  const compact = folded(name ?? '')
  if (compact === '') return -5
  let score = (address === null ? 0 : 1) + (contact ? 1 : 0) + (oneLine ? 1 : 0)
  const hasForm = LEGAL_FORMS.test(name ?? '')
  if (hasForm) score += top < 0.12 ? 2 : 1.2
  // A person with a salutation is the recipient.
  if (!hasForm && SALUTATION.test(lines[0]?.text ?? '')) score -= 3
  // The small return address line above an envelope window.
  if (oneLine && top > 0.08 && top < 0.35) score += 1.2
  score += top < 0.12 ? 1.2 : top < 0.25 ? 0.6 : top > 0.85 ? 0.5 : 0
  const repeated = texts.filter((text) => text.includes(compact)).length
  if (compact.length >= 4 && repeated > 1) score += 0.8
  const word = (name ?? '')
    .split(/\s+/)
    .map(folded)
    .find((each) => each.length >= 4)
  if (
    word !== undefined &&
    paper.rows.some(({ row }) =>
      row.tokens.some(
        ({ text, folded: own }) => /@|www\.|\.(?:com|de|fr|es|it|nl|pt|pl|eu|co|org|net|example)\b/.test(text) && own.includes(word),
      ),
    )
  )
    score += 1.2
  if ((name ?? '').length > 60 || /\d{4}/.test(name ?? '') || /[.!?:]$/.test(name?.replace(LEGAL_FORMS, 'x') ?? '')) score -= 1.5
  return score
}

/** Large lines at the top, as in a letterhead. */
function logos(blocks: readonly Block[], paper: Paper): { party: Party; score: number }[] {
  const height = paper.pages[0]?.height ?? 842
  const sizes = paper.rows.map(({ row }) => row.size).sort((one, two) => one - two)
  const usual = sizes[Math.floor(sizes.length / 2)] ?? 10
  return blocks
    .flatMap(({ lines }) => lines.slice(0, 1))
    .filter((line) => line.top < 0.3 * height && line.size > 1.15 * usual && /\p{L}{2}/u.test(line.text) && !isTitle(line, paper))
    .map((line) => ({
      party: { name: line.text, address: null, lines: [line], contact: false, oneLine: false },
      score: Math.min(1.5, line.size / usual - 0.5),
    }))
}

/** The name of the document type. */
function isTitle({ read, row }: TextLine, { rows }: Paper): boolean {
  const start = read.row.tokens.findIndex((token) => token === row.tokens[0])
  return (
    rows[read.at]?.labels.some(({ from }) => from >= start && from < start + row.tokens.length) === true ||
    /invoice|rechnung|facture|factura|fattura|factuur|fatura|faktura|lasku|számla|nyugta|factur[ăa]|τιμολόγιο|рахунок|請求書|領収書|receipt|quittung|credit note|gutschrift/i.test(
      row.tokens.map(({ text }) => text).join(' '),
    )
  )
}

/** The customer's address without a label: a block of name and town in the upper half that is not the supplier's. */
function windowOf(free: readonly Party[], supplier: Party | null, height: number): Party | null {
  const own = folded(supplier?.name ?? '')
  const likely = free.filter(({ name, address, contact, lines, oneLine }) => {
    const compact = folded(name ?? '')
    const top = (lines[0]?.top ?? 0) / height
    return (
      compact !== '' &&
      address !== null &&
      !(oneLine && lines.length === 1) &&
      !contact &&
      top > 0.06 &&
      top < 0.5 &&
      compact !== own &&
      !(own !== '' && own.includes(compact)) &&
      address !== supplier?.address
    )
  })
  return likely[0] ?? null
}

/** An address for a name without one: of a party with the same name, else of the only other party that is not the customer. */
function addressFor(name: string | null, parties: readonly Party[], customer: Party | null): string | null {
  const compact = folded(name ?? '')
  const others = parties.filter((party) => party.address !== null && party.address !== customer?.address)
  const same = others.find(
    (party) => party.name !== null && compact !== '' && (folded(party.name).includes(compact) || compact.includes(folded(party.name))),
  )
  return (same ?? others.find(({ contact, oneLine }) => contact || oneLine) ?? others[0])?.address ?? null
}

function tidy(name: string | null): string | null {
  const text = name?.replace(/^[\s:,;·|–-]+|[\s:,;·|–-]+$/g, '') ?? ''
  return text === '' ? null : text
}
