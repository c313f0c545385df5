import { body, operation, refused } from '../attempt.js'

const schema = { type: 'object', properties: { total: { type: 'number' } } }
const content = 'The total is 7.'

/** Data of documents. */
export const documentMistakes = operation(
  'POST /v1/documents/extract',
  body({}, 'url', 'content', 'extraction_prompt', 'schema'),
  body({ url: '{site}/page' }, 'extraction_prompt', 'schema'),
  body({ schema }, 'url', 'content'),
  body({ url: '{site}/page', content, schema }, 'content', 'not both'),
  body({ url: 'example.com/invoice.pdf', schema }, 'url', 'https://example.com/'),
  body({ url: '/home/me/invoice.pdf', schema }, 'url', 'https://', 'POST /v1/files'),
  body({ url: 'data:application/pdf;base64,JVBERi0=', schema }, 'url', 'https://', 'POST /v1/files'),
  body({ url: 'ftp://example.com/a.pdf', schema }, 'url', 'http:// or https://'),
  refused(422, { body: { url: 'http://127.0.0.2/a.pdf', schema } }, 'private'),
  refused(422, { body: { url: '{site}/gone', schema } }, '404'),
  body({ url: '{site}/empty.pdf', schema }, 'url', 'empty'),
  body({ url: '{site}/broken.pdf', schema }, 'url', 'PDF'),
  body({ content, schema: JSON.stringify(schema) }, 'schema', 'an object', 'not its JSON as a text'),
  body({ content, schema: { total: 'number' } }, 'schema', 'extraction_prompt', 'properties'),
  body({ content, schema: { type: 'array', items: {} } }, 'schema.type', 'object', 'property'),
  body({ content, schema: { type: 'object', properties: ['total'] } }, 'schema.properties', 'names'),
  body({ content, schema: { type: 'object', properties: { total: 'number' } } }, 'schema.properties.total', 'JSON Schema'),
  body({ content, schema: { type: 'dict', properties: {} } }, 'schema.type', 'object'),
  body({ content, schema: { $ref: 'https://example.com/schema.json' } }, 'schema.$ref', '#/$defs/name'),
  body({ content, prompt: 'The total' }, 'prompt', 'did you mean extraction_prompt?'),
  body({ content: ' ', schema }, 'content', 'empty or blank'),
  body({ content: [content], schema }, 'content', 'a text'),
  body({ content, extraction_prompt: '' }, 'extraction_prompt', 'empty'),
  refused(503, { body: { content, extraction_prompt: 'The total' } }, 'ANTHROPIC_API_KEY'),
)
