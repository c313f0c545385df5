/** How a text is split for the network (3GPP TS 23.038, 23.040). */
export interface Segments {
  readonly encoding: 'GSM-7' | 'UCS-2'
  /** Number of messages transmitted and billed. */
  readonly segments: number
  /** Septets of GSM-7, code units of UCS-2. */
  readonly units: number
}

/** The basic character set: one septet each. Escape (1B) is not a character. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** The extension table: with an escape, so two septets, which stay together. */
const EXTENSION = new Set('\f^{}\\[~]|€')

/** Capacity of a single message, and of each part of a split one: the part header takes 7 septets or 3 units. */
const GSM = { alone: 160, part: 153 }
const UCS = { alone: 70, part: 67 }

/** Encoding and segments of a text; UCS-2 as soon as one character is outside GSM-7. */
export function segmentsOf(text: string): Segments {
  const characters = [...text]
  const gsm = characters.every((character) => BASIC.has(character) || EXTENSION.has(character))
  const units = characters.map((character) => (gsm ? (EXTENSION.has(character) ? 2 : 1) : character.length))
  const sum = units.reduce((total, each) => total + each, 0)
  const { alone, part } = gsm ? GSM : UCS
  return { encoding: gsm ? 'GSM-7' : 'UCS-2', segments: sum <= alone ? 1 : parts(units, part), units: sum }
}

/** Parts of at most so many units; a two-unit character is not split. */
function parts(units: readonly number[], most: number): number {
  let count = 1
  let used = 0
  for (const each of units) {
    if (used + each > most) {
      count++
      used = 0
    }
    used += each
  }
  return count
}
