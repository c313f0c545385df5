/** Bytes sampled. */
const SAMPLE = 256 * 1024
/** Minimum share of common characters for a character set to be chosen. */
const LEAST = 0.5

/** Alphabets by their most common lowercase letters, about four fifths of a text, with the legacy encodings of pages. */
const ALPHABETS: readonly (readonly [labels: readonly string[], letters: string])[] = [
  [['windows-1251', 'koi8-r', 'koi8-u', 'iso-8859-5', 'ibm866'], 'оеаинтсрвлкмдпуяыьіъ'],
  [['windows-1253'], 'αοιετσνηυρκπλμςίάόέ'],
  [['windows-1255'], 'יוהלאתרמבשנםד'],
  [['windows-1256'], 'اليمنرتوبةعدسف'],
  [['windows-874'], 'านรอกเงมยลวดท่้สตะปบคัิีแ็'],
]

/** Non-ASCII letters of languages in Latin script; those of windows-1252 come first. */
const LATIN: readonly (readonly [label: string, letters: string])[] = [
  ['windows-1252', 'àâæçéèêëîïôœùûüÿ'],
  ['windows-1252', 'äöüßéåæøà'],
  ['windows-1252', 'áéíóúüñãõâêôàçªº¿¡'],
  ['windows-1252', 'àèéìíòóù'],
  ['windows-1252', 'áðéíóúýþæöåäø'],
  ['windows-1250', 'ąćęłńóśźż'],
  ['windows-1250', 'áčďéěíňóřšťúůýžľĺŕäô'],
  ['windows-1250', 'áéíóöőúüű'],
  ['windows-1250', 'ăâîşţ'],
  ['windows-1250', 'čćđšž'],
  ['windows-1254', 'çğıöşüâîû'],
  ['windows-1257', 'ąčęėįšųūžāēģīķļņõäöü'],
]

/** Lead bytes of common characters in double-byte encodings; `kana`: Japanese syllables, required for a match as Japanese. */
interface Double {
  readonly label: string
  readonly lead: (byte: number) => boolean
  readonly trail: (byte: number) => boolean
  readonly common: (lead: number, trail: number) => boolean
  readonly kana?: (lead: number) => boolean
}

const within = (from: number, to: number) => (byte: number) => byte >= from && byte <= to
const euc = within(0xa1, 0xfe)
const mark = within(0xa1, 0xa3)

/** In order of precedence: Japanese (by its syllables), Korean, then Chinese. */
const DOUBLES: readonly Double[] = [
  {
    label: 'euc-jp',
    lead: (byte) => euc(byte) || byte === 0x8e,
    trail: euc,
    common: (lead) => within(0xa1, 0xa5)(lead) || within(0xb0, 0xcf)(lead),
    kana: within(0xa4, 0xa5),
  },
  {
    label: 'shift_jis',
    lead: (byte) => within(0x81, 0x9f)(byte) || within(0xe0, 0xfc)(byte),
    trail: (byte) => within(0x40, 0xfc)(byte) && byte !== 0x7f,
    common: (lead) => within(0x81, 0x83)(lead) || within(0x88, 0x97)(lead),
    kana: within(0x82, 0x83),
  },
  { label: 'euc-kr', lead: euc, trail: euc, common: (lead) => mark(lead) || within(0xb0, 0xc8)(lead) },
  {
    label: 'gb18030',
    lead: within(0x81, 0xfe),
    trail: (byte) => within(0x40, 0xfe)(byte) && byte !== 0x7f,
    common: (lead, trail) => euc(trail) && (mark(lead) || within(0xb0, 0xd7)(lead)),
  },
  {
    label: 'big5',
    lead: within(0x81, 0xfe),
    trail: (byte) => within(0x40, 0x7e)(byte) || euc(byte),
    common: (lead) => mark(lead) || within(0xa4, 0xc6)(lead),
  },
]

/**
 * Guesses the character set of undeclared bytes by the frequency of common characters. The bytes must not be UTF-8.
 * `windows-1252` when nothing fits better.
 */
export function guessCharset(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, SAMPLE)
  const [best = { label: '', score: 0 }] = DOUBLES.map((one) => ({ label: one.label, score: doubleScore(sample, one) })).sort(
    (first, second) => second.score - first.score,
  )
  const high = sample.filter((byte) => byte >= 0x80)
  const single = isDense(sample, high.length) ? alphabet(high) : latin(high)
  return best.score >= 0.85 && best.score >= single.score ? best.label : single.label
}

/** True for ISO-2022-JP, whose bytes are all ASCII. */
export function isIso2022Jp(bytes: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, SAMPLE))
  return start.includes('\x1b$B') || start.includes('\x1b$@')
}

/** Whether most non-ASCII bytes are adjacent to another one: in Latin script they are scattered. */
function isDense(sample: Uint8Array, high: number): boolean {
  let pairs = 0
  for (let at = 1; at < sample.length; at += 1) if ((sample[at] ?? 0) >= 0x80 && (sample[at - 1] ?? 0) >= 0x80) pairs += 1
  return pairs * 2 > high
}

/** Share of common characters; 0 for bytes that are invalid in this encoding. */
function doubleScore(sample: Uint8Array, { lead, trail, common, kana }: Double): number {
  let all = 0
  let usual = 0
  let syllables = 0
  let broken = 0
  for (let at = 0; at < sample.length; at += 1) {
    const first = sample[at] ?? 0
    if (first < 0x80) continue
    all += 1
    const second = sample[at + 1]
    if (second === undefined) break
    if (!lead(first) || !trail(second)) {
      broken += 1
      continue
    }
    if (common(first, second)) usual += 1
    if (kana?.(first) === true) syllables += 1
    at += 1
  }
  if (all === 0 || broken * 100 > all) return 0
  return kana !== undefined && syllables * 6 < all ? 0 : usual / all
}

function alphabet(high: Uint8Array): { label: string; score: number } {
  let best = { label: 'windows-1252', score: LEAST }
  for (const [labels, letters] of ALPHABETS) {
    const usual = new Set(letters)
    for (const label of labels) {
      const score = share(decodeAs(high, label), usual)
      if (score > best.score) best = { label, score }
    }
  }
  return best
}

function latin(high: Uint8Array): { label: string; score: number } {
  let best = { label: 'windows-1252', score: 0 }
  for (const [label, letters] of LATIN) {
    // Another encoding must score clearly better: a few letters fit many encodings.
    const score = share(decodeAs(high, label), new Set(letters + letters.toUpperCase())) - (label === 'windows-1252' ? 0 : 0.05)
    if (score > best.score) best = { label, score }
  }
  return best
}

/** Share of the letters among non-punctuation characters. */
function share(text: string, letters: ReadonlySet<string>): number {
  const signs = [...text].filter(
    (sign) => !/[\u00a0\u00a7\u00a9\u00ab\u00ae\u00b0\u00b7\u00bb\u2010-\u203a\u20ac\u2122]/.test(sign) || letters.has(sign),
  )
  return signs.length === 0 ? 0 : signs.filter((sign) => letters.has(sign)).length / signs.length
}

const C1 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'

/** Code unit for each byte of windows-1252. */
const WINDOWS_1252 = Array.from({ length: 256 }, (_, byte) => (byte >= 0x80 && byte < 0xa0 ? C1.charCodeAt(byte - 0x80) : byte))

/** Decodes bytes with the encoding of a WHATWG label. Throws RangeError for an unknown label. */
export function decodeAs(bytes: Uint8Array, label: string): string {
  return label === 'windows-1252' ? windows1252(bytes) : new TextDecoder(label).decode(bytes)
}

/** Node 20 decodes windows-1252 as latin1, without the letters and quotes at 0x80 to 0x9f. */
function windows1252(bytes: Uint8Array): string {
  const units = Buffer.allocUnsafe(bytes.length * 2)
  let at = 0
  for (const byte of bytes) at = units.writeUInt16LE(WINDOWS_1252[byte] ?? byte, at)
  return units.toString('utf16le')
}
