import { capability, flat, nullable, or, port, Type, type Static } from '../../core/sdk/index.js'
import { chat } from '../llm/contract.js'
import { documentRead } from '../reading/contract.js'
import { pageFacts } from '../scrape/contract.js'
import { violations } from './violations.js'

export { callerSchema } from './schema/caller-schema.js'

/** Longest `content` in characters; `document.read` returns no more either. */
const MOST_CHARACTERS = 5_000_000

const input = Type.Object(
  {
    url: or(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 8192,
          description:
            'URL of the web page, document or image to read; give either this or content. Documents: PDF (including ' +
            'scans), Word, Excel, PowerPoint, OpenDocument, EPUB, email, CSV and text.',
        }),
      ),
      null,
    ),
    content: or(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: MOST_CHARACTERS,
          pattern: '\\S',
          description: 'The text itself: plain text, Markdown or HTML; give either this or url.',
        }),
      ),
      null,
    ),
    extraction_prompt: or(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 10_000,
          pattern: '\\S',
          description: 'What to extract, in words. Required unless schema is given; with schema, it explains the schema.',
        }),
      ),
      null,
    ),
    schema: or(
      nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          description:
            'JSON Schema (draft 2020-12) of the object to extract, at most 32,768 characters. Allow null for strings that may be absent.',
        }),
      ),
      null,
    ),
  },
  { additionalProperties: false },
)
export type ExtractInput = Static<typeof input>

/** Input and output of the vendors of documents.extract: a source, read once for all of them. */
export const extractVendors = port({
  id: 'documents.extract',
  input: Type.Object({
    text: Type.String({ description: 'The readable text of the source.' }),
    /** Null for a text sent by the caller. */
    url: or(nullable(Type.String()), null),
    prompt: or(nullable(Type.String()), null),
    /** The caller's schema, already checked; null if there is only a prompt. */
    schema: or(nullable(Type.Record(Type.String(), Type.Unknown())), null),
    /** Machine-readable metadata of a page. */
    facts: or(nullable(pageFacts.output), null),
    /** Sheets of a document. */
    tables: or(documentRead.output.properties.tables, []),
  }),
  output: Type.Object({
    extracted: Type.Record(Type.String(), Type.Unknown()),
    /** Part of the text was not processed. */
    truncated: Type.Boolean(),
  }),
})
export type ExtractQuestion = Static<typeof extractVendors.input>
export type Extracted = Static<typeof extractVendors.output>

const invoice = {
  type: 'object',
  properties: {
    number: { type: ['string', 'null'] },
    total: { type: ['number', 'null'], description: 'Amount to pay' },
    items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, price: { type: ['number', 'null'] } } } },
  },
  required: ['number', 'total'],
}

export const extract = capability({
  id: 'documents.extract',
  path: '/v1/documents/extract',
  phrases: [
    { say: '* fields structured json values data table entities schema document' },
    { say: 'extract|pull|get|collect {extraction_prompt} from|of {url}' },
    { say: 'extract|pull {extraction_prompt} out of {url}' },
    { say: 'from {url} extract|pull|get {extraction_prompt}' },
    { say: 'extract {extraction_prompt} from document|text|pdf|page|file' },
    { say: 'extract {extraction_prompt}' },
    { say: 'extract data from' },
    { say: 'structured data|json|fields from' },
    { say: 'structured data|json {extraction_prompt}' },
  ],
  title: 'Extract data from a document',
  description:
    'Reads a web page, a document (PDF including scans, Office, OpenDocument, EPUB, email, CSV) or a text and ' +
    'returns the data described by a JSON Schema or a prompt as an object. With a schema, the result conforms to it. ' +
    'Strings are returned only if they occur in the source: an absent value is null, or omitted if the schema does ' +
    'not allow null; if a required value is absent, the call fails with no-result and is not charged. Long texts are ' +
    'processed in parts whose lists are merged; truncated says whether anything was left out.',
  input,
  output: Type.Object({
    extracted: Type.Record(Type.String(), Type.Unknown(), { description: 'The extracted data, conforming to schema if one was given.' }),
    source_url: nullable(Type.String({ description: 'URL that was read; null when content was given.' })),
    content_length: Type.Integer({ minimum: 0, description: 'Number of characters of text read from the source.' }),
    truncated: Type.Boolean({ description: 'Whether part of the source was not processed.' }),
  }),
  price: flat(3),
  timeoutMs: 120_000,
  work: 'light',
  bodyLimit: 6 * 1024 * 1024,
  vendors: extractVendors,
  requires: ({ schema }) => (schema === null ? [chat] : []),
  parts: [
    {
      title: 'extraction by schema',
      params: { content: 'Name: Ada', schema: { type: 'object', properties: { name: { type: 'string' } } } },
    },
    { title: 'extraction by prompt alone', params: { content: 'Name: Ada', extraction_prompt: 'The name.' } },
  ],
  check: violations,
  examples: [
    { title: 'Number, total and line items of an invoice', params: { url: 'https://example.com/invoice.pdf', schema: invoice } },
    {
      title: 'Data described by a prompt, from a text',
      params: {
        content: 'First Last, born 31 January 1990, lives in Lisbon.',
        extraction_prompt: 'Name, date of birth and city of the person.',
      },
    },
    {
      title: 'Products on a page',
      params: {
        url: 'https://example.com/products',
        extraction_prompt: 'Every product in the list, not the advertisements.',
        schema: {
          type: 'object',
          properties: {
            products: {
              type: 'array',
              items: { type: 'object', properties: { name: { type: 'string' }, price: { type: ['number', 'null'] } } },
            },
          },
        },
      },
    },
  ],
})
