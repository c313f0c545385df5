/** Difference in brightness, of 255, that is invisible. */
const UNSEEN = 3
const HEADER = /^P5\s+(\d{1,6})\s+(\d{1,6})\s+255\s/

/** Whether values in this range look the same. */
export function isBlank(least: number, most: number): boolean {
  return most - least <= UNSEEN
}

/** Whether a page rendered by pdftoppm in grey (Netpbm PGM) has a single tone. Null for another file. */
export function blankPage(pgm: Uint8Array): boolean | null {
  const header = HEADER.exec(Buffer.from(pgm.subarray(0, 64)).toString('latin1'))
  if (header === null || pgm.length < header[0].length + Number(header[1]) * Number(header[2])) return null
  let [least, most] = [255, 0]
  for (const tone of pgm.subarray(header[0].length)) {
    if (tone < least) least = tone
    if (tone > most) most = tone
    if (!isBlank(least, most)) return false
  }
  return true
}
