/** A page with new text between the marks `<!-- NAME -->` and `<!-- /NAME -->`. Throws without them. */
export function withMarked(page: string, name: string, text: string): string {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const begin = page.indexOf(opening)
  const end = page.indexOf(closing)
  if (begin < 0 || end < begin) throw new Error(`the page lacks the marks ${opening} and ${closing}`)
  return `${page.slice(0, begin + opening.length)}\n\n${text}\n\n${page.slice(end)}`
}
