import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseDocument } from '../work/dom.js'
import { textOfElement } from './plain.js'
import { REAL_PAGES, type RealPage } from './real-pages.js'

/** A page with its reference text. */
export interface GatePage {
  readonly name: string
  /** `written` for this gate; `real`: documentation of a Debian package. */
  readonly kind: 'written' | 'real'
  /** Half of each kind is inspected while the extraction is developed, half only measured. */
  readonly half: 'seen' | 'held out'
  readonly html: string
  readonly gold: string
}

/** Pages written for the gate, in the folder `pages`: NAME.html and its text NAME.txt. */
export function writtenPages(folder: string): GatePage[] {
  const pages = readdirSync(folder)
    .filter((file) => file.endsWith('.html'))
    .map((file) => ({ name: file.replace('.html', ''), html: readFileSync(join(folder, file), 'utf8') }))
  return halved(pages, ({ html }) => html).map(({ item: { name, html }, half }) => ({
    name,
    kind: 'written',
    half,
    html,
    gold: readFileSync(join(folder, `${name}.txt`), 'utf8'),
  }))
}

/** Pages of installed packages, and those whose file is missing. */
export function realPages(): { pages: GatePage[]; absent: RealPage[] } {
  const absent = REAL_PAGES.filter(({ path }) => !existsSync(path))
  const pages = halved(REAL_PAGES, ({ path }) => path)
    .filter(({ item }) => !absent.includes(item))
    .map(({ item, half }): GatePage => {
      const html = readFileSync(item.path, 'utf8')
      return { name: `${item.package}: ${basename(item.path)}`, kind: 'real', half, html, gold: textOfMatches(html, item) }
    })
  return { pages, absent }
}

/** The half with the lower SHA-256 of its text is the inspected one. */
function halved<T>(items: readonly T[], textOf: (item: T) => string): { item: T; half: GatePage['half'] }[] {
  const digests = new Map(items.map((item) => [item, createHash('sha256').update(textOf(item)).digest('hex')]))
  const sorted = [...items].sort((one, other) => ((digests.get(one) ?? '') < (digests.get(other) ?? '') ? -1 : 1))
  const seen = new Set(sorted.slice(0, items.length / 2))
  return items.map((item) => ({ item, half: seen.has(item) ? 'seen' : 'held out' }))
}

function textOfMatches(html: string, { selector, without }: RealPage): string {
  const document = parseDocument(html)
  if (without !== '') for (const element of document.documentElement.querySelectorAll(without)) element.remove()
  return [...document.documentElement.querySelectorAll(selector)].map(textOfElement).join('\n')
}
