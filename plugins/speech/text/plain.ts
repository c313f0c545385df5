/**
 * A caller's text without unspeakable characters: control characters, unpaired surrogates, byte order marks and
 * zero-width blanks become blanks or nothing; line ends are normalised. At most two consecutive line ends.
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

/** Whether a text has anything speakable: a letter or a digit. */
export function isSpeakable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/**
 * Disables SSML tags, for vendors that interpret them: a blank follows each `<` that could start one, so that the tag
 * is spoken as text.
 */
export function withoutTags(text: string): string {
  return text.replace(/<(?=[A-Za-z/!?])/g, '< ')
}

/** An emoji with its modifiers; joiners elsewhere are part of words in some scripts. */
const EMOJI = /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\u200d|\ufe0f)*|\p{Emoji_Modifier}|\p{Regional_Indicator}|\ufe0f|\u20e3/gu

/** The text without phoneme input of eSpeak and Piper, `[[…]]`, and without emoji, whose names they would speak. */
export function withoutPhonemes(text: string): string {
  return text.replaceAll('[[', '[ [').replace(EMOJI, (sign) => ('©®™'.includes(sign) ? sign : ''))
}
