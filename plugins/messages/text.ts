/** What a telephone shows: line breaks and tabs, no other control character (C0, DEL, C1). */
const CONTROL = /(?![\t\n\r])\p{Cc}/u
/** Anything that can be seen: no blank, and nothing that only formats (zero-width joiners, marks of direction). */
const VISIBLE = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** Why a text cannot be sent as it is; null when it can. */
export function textFault(text: string): string | null {
  if (!text.isWellFormed()) return 'has half of a character (a lone surrogate), which cannot be sent'
  if (CONTROL.test(text)) return 'has control characters other than line breaks and tabs'
  return VISIBLE.test(text) ? null : 'is blank: there is nothing to send'
}
