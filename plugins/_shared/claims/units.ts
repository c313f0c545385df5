import { folded } from './months.js'

/** Each unit, then its synonyms and signs. */
const UNITS: ReadonlyMap<string, string> = table(
  `percent: % percent pct prozent pourcent percento procent protsent
  permille: ‰ permille promille
  usd: us$ usd
  dollar: $ dollar dollars
  cad: c$ ca$ cad
  aud: a$ au$ aud
  eur: € eur euro euros
  gbp: £ gbp pound-sterling
  jpy: ¥ jpy yen
  inr: ₹ inr rupee rupees
  krw: ₩ krw
  chf: chf franken
  cny: cny rmb yuan
  km: km kilometre kilometres kilometer kilometers kilometern kilometros
  m: m metre metres meter meters metern metros
  cm: cm centimetre centimetres centimeter centimeters
  mm: mm millimetre millimetres millimeter millimeters
  mi: mi mile miles meile meilen
  ft: ft foot feet
  kg: kg kilogram kilograms kilogramm kilo kilos
  g: g gram grams gramm gramme grammes
  mg: mg milligram milligrams milligramm
  t: t tonne tonnes ton tons tonnen
  l: l litre litres liter liters litern litros
  ml: ml millilitre millilitres milliliter milliliters
  ha: ha hectare hectares hektar
  w: w watt watts
  kw: kw kilowatt kilowatts
  mw: mw megawatt megawatts
  gw: gw gigawatt gigawatts
  wh: wh
  kwh: kwh kilowattstunde kilowattstunden
  mwh: mwh
  gwh: gwh
  twh: twh
  v: v volt volts
  hz: hz hertz
  mhz: mhz megahertz
  ghz: ghz gigahertz
  byte: byte bytes
  kb: kb kilobyte kilobytes
  mb: mb megabyte megabytes
  gb: gb gigabyte gigabytes
  tb: tb terabyte terabytes
  ms: ms millisecond milliseconds millisekunden
  second: s sec secs second seconds sekunde sekunden seconde secondes segundo segundos
  minute: min mins minute minutes minuten minuto minutos
  hour: h hr hrs hour hours stunde stunden heure heures hora horas
  day: day days tag tage tagen jour jours dia dias
  week: week weeks woche wochen semaine semaines semana semanas
  month: month months monat monate monaten mois mes meses
  year: yr yrs year years jahr jahre jahren an ans annee annees ano anos
  mph: mph
  celsius: °c celsius
  fahrenheit: °f fahrenheit`,
)
/** Powers of ten. Ambiguous words (long and short scale) depend on the language they belong to. */
const SCALES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    3: 'thousand thousands k tsd tausend mille mil tys',
    4: '万 萬',
    6: 'million millions mn mio millionen millon millones milioni milhoes miljoen m mln',
    8: '亿 億',
    9: 'billion billions bn mrd milliarde milliarden milliard milliards miliardi miljard mld b',
    12: 'trillion trillions tn billionen',
  }).flatMap(([power, words]) => words.split(' ').map((word): [string, number] => [folded(word), Number(power)])),
)
/** Single letters: a scale only directly after figures, optionally followed by a unit. */
const GLUED = new Set(['k', 'm', 'b'])
/** Dollar currencies, which a plain sign does not distinguish. */
const DOLLARS = ['usd', 'cad', 'aud']

/** Percentages and currencies, which always have a unit. */
const NAMED = new Set('percent permille usd dollar cad aud eur gbp jpy inr krw chf cny'.split(' '))

/** True for a percentage or a currency. */
export function isNamed(unit: string): boolean {
  return NAMED.has(unit)
}

/** The unit of a folded word or sign, or undefined. */
export function unitOf(word: string): string | undefined {
  return UNITS.get(word)
}

/** The possible powers of ten of a word after a figure; 0 when it may also be a unit. Empty for any other word. */
export function scalesOf(word: string, glued: boolean): readonly number[] {
  const power = SCALES.get(word)
  if (power === undefined || (GLUED.has(word) && !glued)) return []
  return GLUED.has(word) && UNITS.has(word) ? [power, 0] : [power]
}

/** The units compatible with a unit: itself, and the plain dollar for every dollar currency. */
export function compatible(unit: string): readonly string[] {
  if (unit === 'dollar') return [unit, ...DOLLARS]
  return DOLLARS.includes(unit) ? [unit, 'dollar'] : [unit]
}

function table(rows: string): ReadonlyMap<string, string> {
  return new Map(
    rows.split('\n').flatMap((row) => {
      const [unit = '', words = ''] = row.trim().split(': ')
      return words.split(' ').map((word): [string, string] => [folded(word), unit])
    }),
  )
}
