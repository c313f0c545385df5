import { isRecord } from '../../sdk/json.js'
import { type Described, priceSentence } from './described.js'
import { signature } from './tools.js'

/** Where programs begin. */
export const ADDRESSES = {
  ...{ tools: ['/v1/tools', 'tool definitions'], openapi: ['/v1/openapi.json', 'OpenAPI 3.1'] },
  ...{ capabilities: ['/v1/capabilities', 'prices and providers'], llms: ['/llms.txt', 'index for agents'] },
  ...{ errors: ['/errors', 'errors explained'], console: ['/console', 'this page'] },
} as const

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
  const links = Object.values(ADDRESSES).map(([href, text]) => `<li><a href="${href}">${text}</a></li>`)
  return htmlPage(
    'Console',
    `<h1>Capstan</h1><p>${live} of ${capabilities.length} capabilities are live. Operators: <code>capstan doctor</code> shows what the others need.</p><table><thead><tr><th>Capability</th><th>Call and price</th><th>State</th></tr></thead><tbody>${rows.join('')}</tbody></table>${call}<h2>For machines</h2><ul>${links.join('')}</ul>`,
  )
}

/** The text index for agents (llmstxt.org): a first call, and parameters, results and prices of each capability. */
export function llmsTxt(capabilities: readonly Described[], publicUrl: string): string {
  const lines = capabilities.map(({ id, path, title, description, price, input, output, examples, live }) => {
    const [about = ''] = description.split(/(?<=\.) /, 1)
    const call = `\`${signature(id, input)}\` gives {${fieldNames(output)}}`
    const params = `Example: \`${JSON.stringify(examples[0]?.params ?? {})}\`.${live ? '' : ' Not configured here.'}`
    return `- [${title}](${publicUrl}${path}): ${call}. ${about} ${priceSentence(price)} ${params}`
  })
  // A short example without an effect: agents try it.
  const size = ({ examples, output }: Described): number => `${JSON.stringify(examples[0])}${fieldNames(output)}`.length
  const [shown] = capabilities.filter(({ live, acts }) => live && !acts).sort((one, other) => size(one) - size(other))
  const body = JSON.stringify({ capability: shown?.id, params: shown?.examples[0]?.params ?? {} })
  return `# Capstan

> One API key and one credit balance for ${capabilities.length} capabilities an agent needs.
> Each call is a POST with a JSON body; failed calls cost nothing.

## Call one

    curl -s ${publicUrl}/v1/agent -H 'Authorization: Bearer <API key>' -H 'Content-Type: application/json' \\
      -d '${body.replaceAll("'", String.raw`'\''`)}'

    {"success": true, "data": {${fieldNames(shown?.output)}}, "error": null, "credits_used": <credits>,
     "metadata": {"provider_used": "<vendor>", "providers_tried": ["<vendor>"], "request_id": "req_<id>", "notes": []}}

- Each capability also has a path of its own, below, whose body is the \`params\` alone.
- A failure has \`success\` false, \`data\` null and \`error\` {type, title, status, detail, is_retriable,
  retry_after_seconds, alternative_action, error_category}. Do what \`alternative_action\` says; repeat the call only if
  \`is_retriable\` is true, after \`retry_after_seconds\`. 401: the key. 402: no credits. 403: not allowed for the key.
  422: a parameter is wrong, the target refused, or nothing was found. 429, 5xx: later. All: ${publicUrl}/errors
- A capability answers in this form, and so does every error and \`POST /v1/files\`; what manages and describes
  (account, keys, calls, estimate, tools) answers its data alone.
- Price of a call before it is made: \`POST ${publicUrl}/v1/estimate\` with the same body.
- The header \`Idempotency-Key: <any text>\` makes a repeated call return the first answer, charged once.
- A file of yours: \`POST ${publicUrl}/v1/files\` (form field \`file\`) gives \`data.file_url\` for \`url\`, \`*_url\`.

## Capabilities (parameters with ? are optional)

${lines.join('\n')}

## Machine-readable

- [Tools](${publicUrl}/v1/tools): \`?format=openai|claude|mcp|raw\`, \`&live=true\` for those that are live.
- [OpenAPI](${publicUrl}/v1/openapi.json): every endpoint, parameter, default, range and result.
- [Prices and providers](${publicUrl}/v1/capabilities), MCP at ${publicUrl}/mcp.
`
}

function fieldNames(output: unknown): string {
  return isRecord(output) && isRecord(output.properties) ? Object.keys(output.properties).join(', ') : ''
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:3rem auto;padding:0 1rem;color:#1c2128;background:#fff}h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2rem}code,pre{background:#eef1f4;border-radius:.25rem}code{padding:.1rem .3rem}pre{padding:.75rem;overflow-x:auto}dt{font-weight:600;margin-top:1rem}dd{margin:0}a{color:#0a58ca}table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #d5dae0;vertical-align:top}.live{color:#146c2e}.dormant{color:#8a4b00}@media(prefers-color-scheme:dark){body{color:#e6e9ed;background:#14171a}code,pre{background:#262b31}a{color:#7db2ff}td,th{border-color:#343b43}.live{color:#5fd38a}.dormant{color:#f0b45b}}'

/** A page without scripts. The content must be escaped already. */
export function htmlPage(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)} - Capstan</title><style>${STYLE}</style></head><body>${content}</body></html>`
}

/** Text as HTML text or attribute value. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
