/** Elements with invisible text. */
const UNSEEN = ['script', 'style', 'template', 'svg', 'title', 'noscript']

/**
 * The first characters of visible text of markup, in one pass and without a tree: enough to search for words. Plain
 * text is returned in full.
 */
export function words(markup: string, most: number): string {
  // Keeps the length, which toLowerCase() does not for every letter.
  const lower = markup.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  let found = ''
  let at = 0
  while (at < markup.length && found.length < most) {
    const open = markup.indexOf('<', at)
    if (open === -1) return tidy(found + markup.slice(at), most)
    found += `${markup.slice(at, open)} `
    at = behind(lower, open)
  }
  return tidy(found, most)
}

/** Position after the tag that starts here, and after the element when its text is invisible. */
function behind(lower: string, open: number): number {
  if (lower.startsWith('<!--', open)) return after(lower, '-->', open)
  const name = UNSEEN.find((each) => lower.startsWith(`<${each}`, open) && !/[a-z0-9-]/.test(lower[open + each.length + 1] ?? ''))
  return after(lower, '>', name === undefined ? open : after(lower, `</${name}`, open))
}

function after(lower: string, mark: string, from: number): number {
  const end = lower.indexOf(mark, from)
  return end === -1 ? lower.length : end + mark.length
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&#39;': "'",
  '&apos;': "'",
  '&quot;': '"',
  '&nbsp;': ' ',
  '&rsquo;': '’',
}

function tidy(text: string, most: number): string {
  return text
    .replace(/&(?:amp|#39|apos|quot|nbsp|rsquo);/g, (entity) => ENTITIES[entity] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)
}
