import { escapeHtml, htmlPage } from '../../problems/html.js'
import type { Described } from './described.js'
import { priceSentence } from './described.js'

/** The page at /console: the capabilities, their state and how to call them. Public; shows no account data. */
export function consolePage(capabilities: readonly Described[], publicUrl: string): string {
  const live = capabilities.filter((capability) => capability.live).length
  const rows = capabilities.map(
    ({ id, path, title, price, live: answers, reason, limits }) =>
      `<tr><td><strong>${escapeHtml(title)}</strong><br><code>${id}</code></td><td><code>POST ${path}</code><br>${escapeHtml(priceSentence(price))}</td><td class="${answers ? 'live' : 'dormant'}">${answers ? `live${limits === null ? '' : `, ${escapeHtml(limits)}`}` : `dormant: ${escapeHtml(reason ?? '')}`}</td></tr>`,
  )
  const example = capabilities.find((capability) => capability.live && capability.examples.length > 0)
  const call =
    example === undefined
      ? ''
      : `<h2>Call one</h2><pre>${escapeHtml(`curl -s ${publicUrl}${example.path} \\\n  -H 'Authorization: Bearer <API key>' -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(example.examples[0]?.params ?? {})}'`)}</pre>`
  const links = [
    ['/v1/tools', 'tool definitions'],
    ['/v1/openapi.json', 'OpenAPI 3.1'],
    ['/v1/capabilities', 'prices and providers'],
    ['/llms.txt', 'index for agents'],
    ['/errors', 'errors explained'],
  ].map(([href, text]) => `<li><a href="${href}">${text}</a></li>`)
  return htmlPage(
    'Console',
    `<h1>Capstan</h1><p>${live} of ${capabilities.length} capabilities are live. Operators: <code>capstan doctor</code> shows what the others need.</p><table><thead><tr><th>Capability</th><th>Call and price</th><th>State</th></tr></thead><tbody>${rows.join('')}</tbody></table>${call}<h2>For machines</h2><ul>${links.join('')}</ul>`,
  )
}
