const LINK = /!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g

/**
 * The running text of Markdown, in linear time: code, tables, images and marks are removed, link texts are kept, one
 * paragraph per line.
 */
export function prose(markdown: string): string {
  const kept: string[] = []
  let fenced = false
  for (const line of markdown.split('\n')) {
    const bare = line.trim()
    if (bare.startsWith('```') || bare.startsWith('~~~')) fenced = !fenced
    else if (!fenced && bare !== '' && !bare.startsWith('|') && !/^[-*_=]{3,}$/.test(bare)) kept.push(words(bare))
  }
  return kept.filter((line) => line !== '').join('\n')
}

function words(line: string): string {
  const linked = line.replace(LINK, (whole, text: string) => (whole.startsWith('!') ? '' : text))
  return linked
    .replace(/^(?:#{1,6} |> ?|[-*+] |\d{1,3}[.)] )+/, '')
    .replace(/\*\*|__|`/g, '')
    .trim()
}
