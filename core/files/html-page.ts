/** What may precede the root of a page: white space, a comment, an XML declaration. */
const BEFORE = [/^\s+/, /^<!--[^]*?-->/, /^<\?xml[^>]*>/]
const ROOT = /^<(?:!doctype\s+html|html|head|body)\b/i

/** True when the first bytes of a file begin an HTML page. */
export function isHtmlPage(start: Uint8Array): boolean {
  let text = new TextDecoder().decode(start)
  for (let length = -1; length !== text.length;) {
    length = text.length
    for (const each of BEFORE) text = text.replace(each, '')
  }
  return ROOT.test(text)
}
