import type { Described } from './described.js'

/** The text index for agents (llmstxt.org): capabilities, how to call them, prices. */
export function llmsTxt(capabilities: readonly Described[], publicUrl: string): string {
  const lines = capabilities.map(
    ({ id, path, title, description, live }) =>
      `- [${title}](${publicUrl}${path}): \`${id}\`. ${description}${live ? '' : ' Not configured on this gateway.'}`,
  )
  return `# Capstan

> One API key and one credit balance for ${capabilities.length} capabilities an agent needs. Each call is a POST with a JSON body; failed calls cost nothing.

Send \`Authorization: Bearer <API key>\`. A capability answers \`{success, data, error, metadata, credits_used}\`, and so does every error and \`POST /v1/files\`; what manages and describes (account, keys, calls, estimate, tools) answers its data alone. Any capability can also be called by name: \`POST ${publicUrl}/v1/agent\` with \`{"capability": "<id>", "params": {…}}\`.

## Capabilities

${lines.join('\n')}

## Machine-readable

- [Tools](${publicUrl}/v1/tools): \`?format=openai|claude|mcp|raw\`, \`&single=true\` for one tool, \`&live=true\` for those that answer now.
- [OpenAPI](${publicUrl}/v1/openapi.json): OpenAPI 3.1 description of every endpoint.
- [Prices and providers](${publicUrl}/v1/capabilities): what each capability costs and who serves it.
- Price of a call before it is made: \`POST ${publicUrl}/v1/estimate\` with the same body as \`/v1/agent\`.
`
}
