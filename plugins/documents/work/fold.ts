/** A text for comparison: only letters and digits, without case, diacritics and compatibility forms (NFKD). */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/** The words of a text, each folded. */
export function words(text: string): string[] {
  return (text.normalize('NFKC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(fold)
}
