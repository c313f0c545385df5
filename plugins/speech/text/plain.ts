/**
 * A caller's text with what no voice can speak taken out: control characters, halves of surrogate pairs, byte order marks and blanks of no width become
 * blanks or nothing; line ends become one kind. At most two line ends follow each other.
 */
export function plainText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\u200b\u2060\ufeff\u00ad]/g, '')
    .replace(/(?!\n)[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/gu, ' ')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim()
}

/** Whether a text has anything to say: a letter or a digit. */
export function isSpeakable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/**
 * The same text in which nothing is a tag of SSML, for vendors that obey such tags: a blank follows each `<` that could begin one, so that the tag is spoken
 * like any text.
 */
export function withoutTags(text: string): string {
  return text.replace(/<(?=[A-Za-z/!?])/g, '< ')
}

/** An emoji with what belongs to it; joiners elsewhere are part of words in some scripts. */
const EMOJI = /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\u200d|\ufe0f)*|\p{Emoji_Modifier}|\p{Regional_Indicator}|\ufe0f|\u20e3/gu

/** The same text without what eSpeak and Piper take for phonemes, `[[…]]`, and without emoji, of which they speak the names. */
export function withoutPhonemes(text: string): string {
  return text.replaceAll('[[', '[ [').replace(EMOJI, (sign) => ('©®™'.includes(sign) ? sign : ''))
}
