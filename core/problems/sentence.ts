/** A text as a sentence: with a full stop, unless it ends one already. */
export function finished(text: string): string {
  return /[.?!…]$/.test(text) ? text : `${text}.`
}
