import { capability, flat, nullable, or, port, Type, type Static } from '../../core/sdk/index.js'
import { chat } from '../llm/contract.js'
import { documentRead } from '../reading/contract.js'
import { pageFacts } from '../scrape/contract.js'
import { violations } from './violations.js'

export { callerSchema } from './schema/caller-schema.js'

/** Characters of a text that the caller sends; `document.read` gives no more either. */
const MOST_CHARACTERS = 5_000_000

const input = Type.Object(
  {
    url: or(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 8192,
          description:
            'Address of a web page or document (PDF, also scanned; Word, Excel, PowerPoint, OpenDocument, EPUB, mail, CSV, text) or of a picture of one; give either this or content.',
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
          description: 'The text itself, plain, Markdown or HTML; give either this or url.',
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
          description: 'What to extract, in words. Required unless schema is given; with both it explains the schema.',
        }),
      ),
      null,
    ),
    schema: or(
      nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          description:
            'JSON Schema (draft 2020-12) of the object to extract, at most 32,768 characters. Let texts that may be absent be null.',
        }),
      ),
      null,
    ),
  },
  { additionalProperties: false },
)
export type ExtractInput = Static<typeof input>

/** What the vendors of the capability are asked: a source that was read once for all of them. */
export const extractVendors = port({
  id: 'documents.extract',
  input: Type.Object({
    text: Type.String({ description: 'The readable text of the source.' }),
    /** Null for a text of the caller. */
    url: or(nullable(Type.String()), null),
    prompt: or(nullable(Type.String()), null),
    /** A caller's schema that was checked; null when the prompt alone says what is wanted. */
    schema: or(nullable(Type.Record(Type.String(), Type.Unknown())), null),
    /** What a page says of itself for machines. */
    facts: or(nullable(pageFacts.output), null),
    /** Sheets of a document. */
    tables: or(documentRead.output.properties.tables, []),
  }),
  output: Type.Object({
    extracted: Type.Record(Type.String(), Type.Unknown()),
    /** A part of the text was not looked at. */
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
    'Reads a web page, a document (PDF, also scanned, Office, OpenDocument, EPUB, mail, CSV) or a text and gives the data that a JSON Schema or a prompt asks for as an object. ' +
    'With a schema the result fits it. Only texts that stand in the source are given: what is absent is null, or left out where the schema takes no null; ' +
    'when a required value is not in the source, the answer is no-result and free. Long texts are read in parts whose lists are united; truncated says whether something was left out.',
  input,
  output: Type.Object({
    extracted: Type.Record(Type.String(), Type.Unknown(), { description: 'The data, fitting the schema when one was given.' }),
    source_url: nullable(Type.String({ description: 'Address that was read; null when content was given.' })),
    content_length: Type.Integer({ minimum: 0, description: 'Characters of the text that was read from the source.' }),
    truncated: Type.Boolean({ description: 'A part of the source was not looked at.' }),
  }),
  price: flat(3),
  timeoutMs: 120_000,
  work: 'light',
  bodyLimit: 6 * 1024 * 1024,
  vendors: extractVendors,
  requires: ({ schema }) => (schema === null ? [chat] : []),
  parts: [
    { title: 'data by a schema', params: { content: 'Name: Ada', schema: { type: 'object', properties: { name: { type: 'string' } } } } },
    { title: 'data by a prompt alone', params: { content: 'Name: Ada', extraction_prompt: 'The name.' } },
  ],
  check: violations,
  examples: [
    { title: 'Number, total and lines of an invoice', params: { url: 'https://example.com/invoice.pdf', schema: invoice } },
    {
      title: 'Data of a text by a prompt',
      params: {
        content: 'First Last, born 31 January 1990, lives in Lisbon.',
        extraction_prompt: 'Name, date of birth and city of the person.',
      },
    },
    {
      title: 'Products of a page',
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
