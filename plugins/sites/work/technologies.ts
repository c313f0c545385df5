import { RULES } from '../parts/technologies/rules/index.js'
import type { TechnologyRule } from '../parts/technologies/rule.js'
import type { Technology } from '../shapes/page.js'
import { pageText, type PageText, type Source } from './page-source.js'
import { foundIn, type Found } from './sign.js'

/** The strength of a sign: the product names itself, it leaves a unique mark, or a mark shared with others. */
type Strength = 'names' | 'own' | 'shared'

interface Sign extends Found {
  readonly strength: Strength
  readonly kind: string
}

/** Categories of products that serve a site, as opposed to those a page loads. */
const PLATFORMS = new Set([
  'cms',
  'site builder',
  'shop',
  'static site generator',
  'wordpress extension',
  'web framework',
  'cdn',
  'hosting platform',
])
const MOST_EVIDENCE = 5
const ORDER = ['high', 'medium', 'low']

/** The products recognised on a page. */
export default function technologies(source: Source): Technology[] {
  const text = pageText(source)
  const found = new Map<string, Technology>()
  for (const { category, rules } of RULES)
    for (const rule of rules) {
      const signs = signsOf(rule, text, PLATFORMS.has(category))
      if (signs.length > 0) found.set(rule.name, technologyOf(rule.name, category, signs))
    }
  addImplied(found)
  return [...found.values()].sort(
    (one, other) => ORDER.indexOf(one.confidence) - ORDER.indexOf(other.confidence) || one.name.localeCompare(other.name),
  )
}

function technologyOf(name: string, category: string, signs: readonly Sign[]): Technology {
  const named = signs.some(({ strength }) => strength === 'names')
  const kinds = new Set(signs.filter(({ strength }) => strength !== 'shared').map(({ kind }) => kind))
  return {
    name,
    category,
    version: signs.find(({ version }) => version !== null)?.version ?? null,
    confidence: named || kinds.size > 1 ? 'high' : kinds.size === 1 ? 'medium' : 'low',
    evidence: [...new Set(signs.map(({ evidence }) => evidence))].slice(0, MOST_EVIDENCE),
  }
}

/** Adds implied products with the same confidence. */
function addImplied(found: Map<string, Technology>): void {
  const byName = new Map(RULES.flatMap(({ category, rules }) => rules.map((rule) => [rule.name, { rule, category }] as const)))
  const open = [...found.values()]
  for (let product = open.pop(); product !== undefined; product = open.pop())
    for (const name of byName.get(product.name)?.rule.implies ?? []) {
      const implied = byName.get(name)
      if (implied === undefined || found.has(name)) continue
      const { confidence } = product
      const technology = { name, category: implied.category, version: null, confidence, evidence: [`implied by ${product.name}`] }
      found.set(name, technology)
      open.push(technology)
    }
}

function signsOf(rule: TechnologyRule, text: PageText, platform: boolean): Sign[] {
  const of = (kind: string, strength: Strength, signs: readonly string[] = []): Sign[] =>
    signs.flatMap((sign) => foundIn(kind, sign, text, { platform }).map((found) => ({ ...found, kind, strength })))
  return [
    ...of('header', 'names', rule.headers),
    ...of('generator', 'names', rule.generator),
    ...of('host', 'names', rule.hosts),
    ...of('cookie', 'own', rule.cookies),
    ...of('url', 'own', rule.urls),
    ...of('html', 'own', rule.html),
    ...of('script-url', 'own', rule.scriptUrls),
    ...of('global', 'own', rule.globals),
    ...(rule.weak ?? []).flatMap((sign) => {
      const colon = sign.indexOf(':')
      return of(sign.slice(0, colon), 'shared', [sign.slice(colon + 1).trim()])
    }),
  ]
}
