import { CATALOGUE, type Slug } from './catalogue.js'
import { escapeHtml, htmlPage } from './html.js'

/** The page of an error type: cause and remedy, from the catalogue. */
export function errorPage(slug: Slug): string {
  const { status, title, category, retriable, cause, cure } = CATALOGUE[slug]
  const rows = [
    ['Status', String(status)],
    ['Category', category],
    ['Retry', retriable ? 'A retry may succeed.' : 'A retry with the same request will not succeed.'],
    ['Why it happens', cause],
    ['What to do', cure],
  ] as const
  const list = rows.map(([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`).join('')
  return htmlPage(title, `<h1>${escapeHtml(title)}</h1><p><code>${slug}</code></p><dl>${list}</dl><p><a href="/errors">All errors</a></p>`)
}

/** The list of all errors. */
export function errorIndex(): string {
  const rows = Object.entries(CATALOGUE).map(
    ([slug, { status, title }]) => `<dt><a href="/errors/${slug}">${slug}</a></dt><dd>${status}: ${escapeHtml(title)}</dd>`,
  )
  return htmlPage('Errors', `<h1>Errors</h1><dl>${rows.join('')}</dl>`)
}
