const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ı: 'i',
  '№': 'no',
  º: '',
  '°': '',
  ª: '',
}

/** Lower case of any script without accents, spaces and punctuation; `#` and `%` stay. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/[ßłøæœđı№º°ª]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}#%]/gu, '')
}

/** The same for letters and digits that recognition confuses. */
export function skeleton(compact: string): string {
  return compact.replace(/[0o]/g, 'o').replace(/[1li]/g, 'l').replace(/5/g, 's').replace(/8/g, 'b').replace(/rn/g, 'm').replace(/vv/g, 'w')
}

/** All variants of the text with one letter removed. */
export function deletions(text: string): string[] {
  return Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1))
}
