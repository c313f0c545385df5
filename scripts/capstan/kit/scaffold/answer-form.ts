import type { Form, ProviderPlace } from './form.js'
import { camel, title } from './names.js'

/** A query that a vendor answers in one request. */
export const answerForm: Form = {
  contract: {
    imports: 'Type, capability, flat, nullable',
    input: ["query: Type.String({ minLength: 1, maxLength: 200, description: 'What is asked.' }),"],
    output: [
      "text: Type.String({ description: 'The answer.' }),",
      "source_url: nullable(Type.String({ description: 'Where it comes from.' })),",
    ],
    timeoutMs: '10_000',
    example: "{ title: 'A question', params: { query: 'Oslo' } }",
  },
  provider,
  fixture,
}

function provider({ sdk, name, vendor, vendorFrom }: ProviderPlace): string {
  const imports = [`import { ${camel(name)} } from '../contract.js'`, `import { ${camel(vendor)} } from '${vendorFrom}'`]
  return `import { Type, httpProvider } from '${sdk}'
${(vendorFrom.startsWith('../../../..') ? imports.toReversed() : imports).join('\n')}

/**
 * Queries ${title(vendor)}. \`reply\` names the least that a valid reply has, other fields are ignored; \`map\` returns null when the vendor
 * has no result.
 */
export const ${camel(vendor)}Provider = httpProvider(${camel(name)}, {
  vendor: ${camel(vendor)},
  request: ({ query }) => ({ method: 'GET', path: '/${name}', query: { q: query } }),
  reply: Type.Object({ text: Type.String(), url: Type.Optional(Type.String()) }),
  map: ({ text, url }) => (text === '' ? null : { text, source_url: url ?? null }),
})
`
}

/** An answer with everything, one with the least, and none. */
function fixture(name: string): unknown {
  const request = {
    method: 'GET',
    path: `/${name}`,
    query: { q: 'Oslo' },
    headers: { authorization: 'Bearer secret-api_key' },
  }
  const input = { query: 'Oslo' }
  const source = 'https://example.com/oslo'
  const one = (title: string, json: unknown, end: Record<string, unknown>) => ({
    name: title,
    input,
    exchanges: [{ request, reply: { json } }],
    ...end,
  })
  return {
    cases: [
      one('an answer', { text: 'Rain.', url: source, unknown: 1 }, { output: { text: 'Rain.', source_url: source } }),
      one('an answer without its source', { text: 'Rain.' }, { output: { text: 'Rain.', source_url: null } }),
      one('nothing', { text: '' }, { nothing: true }),
    ],
  }
}
