/** Control characters (C0, DEL, C1) other than line breaks and tabs. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u
/** Any visible character: not a blank, and not format-only (zero-width joiners, direction marks). */
const VISIBLE = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** Why a text cannot be sent; null when it can. */
export function textFault(text: string): string | null {
  if (!text.isWellFormed()) return 'has half of a character (a lone surrogate), which cannot be sent'
  if (CONTROL.test(text)) return 'has control characters other than line breaks and tabs'
  return VISIBLE.test(text) ? null : 'is blank: there is nothing to send'
}
