/** Commas of several scripts: those by which Readability scores a paragraph. */
const COMMAS = new Set(',،︐︑﹐⹁⸴⸲，')

/**
 * Splits a text at its commas for a caller that only asks how many parts there are (ECMAScript, Symbol.split): the parts themselves take
 * 20 bytes and more for each comma.
 */
export const commas = {
  [Symbol.split](text: string): { readonly length: number } {
    let length = 1
    for (let at = 0; at < text.length; at++) if (COMMAS.has(text.charAt(at))) length++
    return { length }
  },
}
