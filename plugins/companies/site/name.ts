import type { PageFacts } from './page-facts.js'

const LONGEST = 80
const DIVIDERS = / [|–—·•»:-] |: /u
/** Page titles that are not a name. */
const GENERIC = /^(?:home|home ?page|welcome|index|start|startseite|accueil|inicio|untitled|official (?:site|website))$/i

/** The company's name on its page: from structured data, the site name, or the part of the title that matches the domain. */
export function nameOf(
  facts: Pick<PageFacts, 'site_name' | 'title' | 'open_graph'>,
  { domain, organization, manifest }: { readonly domain: string; readonly organization: string | null; readonly manifest: string | null },
): string | null {
  const label = folded(domain.split('.')[0] ?? '')
  const named = [organization, facts.site_name, manifest].find((name) => usable(name ?? null) && !isDomain(name ?? '', domain))
  if (named !== undefined) return named
  const parts = [facts.title, facts.open_graph['title']?.[0] ?? null]
    .flatMap((title) => (title ?? '').replace(/\s+/gu, ' ').split(DIVIDERS))
    .map((part) => part.trim())
  const own = parts.find(
    (part) => usable(part) && label.length >= 2 && (folded(part).includes(label) || initials(part) === label) && part.length <= 40,
  )
  if (own !== undefined) return own
  const [only, ...more] = parts.filter(usable)
  return more.length === 0 && only !== undefined && only.length <= 30 ? only : null
}

function usable(name: string | null): name is string {
  return name !== null && name !== '' && name.length <= LONGEST && !GENERIC.test(name)
}

function isDomain(name: string, domain: string): boolean {
  return name.toLowerCase().replace(/^www\./, '') === domain
}

function initials(text: string): string {
  return folded(
    text
      .split(/\s+/)
      .map((word) => word[0] ?? '')
      .join(''),
  )
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
