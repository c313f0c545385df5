/** Commas of several scripts, by which Readability scores a paragraph. */
const COMMAS = new Set(',،︐︑﹐⹁⸴⸲，')

/** Whether a text has more commas than this. */
export function moreCommasThan(most: number, text: string): boolean {
  let commas = 0
  for (let at = 0; at < text.length; at++) {
    if (COMMAS.has(text.charAt(at)) && ++commas > most) return true
  }
  return false
}
