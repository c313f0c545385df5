import { nullable, oneOf, or, port, scratchFile, Type, type Static } from '../../core/sdk/index.js'

const text = nullable(Type.String())
const texts = Type.Array(Type.String())
/** Values of properties by name, in their order on the page. */
const properties = Type.Record(Type.String(), texts)
/**
 * An object in the form of JSON-LD (https://www.w3.org/TR/json-ld11/): `@type`, `@id` and properties. Microdata and RDFa Lite are brought into it;
 * names of schema.org are without their address. A property that is there several times is a list.
 */
const item = Type.Record(Type.String(), Type.Unknown())

const facts = Type.Object({
  /** Address of the page after redirects, or the base that was given. */
  url: Type.String(),
  title: text,
  description: text,
  author: text,
  site_name: text,
  keywords: texts,
  /** Directives of `<meta name="robots">`, lower case. */
  robots: texts,
  generator: text,
  /** BCP 47, as the page says it. */
  language: text,
  theme_color: text,
  canonical: text,
  manifest: text,
  /** Of `hreflang`. */
  translations: Type.Array(Type.Object({ language: Type.String(), url: Type.String() })),
  feeds: Type.Array(Type.Object({ url: Type.String(), type: Type.String(), title: text })),
  /** The first of the page first; `size` is the largest that it names, in pixels of a side. */
  icons: Type.Array(
    Type.Object({
      url: Type.String(),
      kind: oneOf('icon', 'apple-touch-icon', 'mask-icon', 'tile'),
      size: nullable(Type.Integer()),
      any_size: Type.Boolean(),
      type: text,
    }),
  ),
  /** Without `og:`, with what follows it: `title`, `image:width`. */
  open_graph: properties,
  /** Without `twitter:`. */
  twitter: properties,
  /** Without `dc.` and `dcterms.`, lower case. */
  dublin_core: properties,
  json_ld: Type.Array(item),
  /** Blocks of JSON-LD that could not be read; absent when there are none. */
  json_ld_unread: Type.Optional(Type.Integer({ minimum: 1 })),
  microdata: Type.Array(item),
  rdfa: Type.Array(item),
  /** ISO 8601: a date, or a time in UTC, or without a zone where the page names none. */
  published: text,
  modified: text,
  headings: Type.Array(Type.Object({ level: Type.Integer({ minimum: 1, maximum: 6 }), text: Type.String() })),
  /** Profiles that the page links to. */
  social: Type.Array(Type.Object({ network: Type.String(), url: Type.String() })),
  emails: texts,
  phones: texts,
  /** Tables of data. Merged cells are repeated in each place that they cover. `cut`: there was more. */
  tables: Type.Array(Type.Object({ caption: text, header: nullable(texts), rows: Type.Array(texts), cut: Type.Boolean() })),
})

/**
 * What a page says of itself for machines. One of `url`, `html` and `file` names the page; the last two need `base`. Faults: `invalid` for an
 * input that names none, `blocked` for a page that refuses access or is over a limit, `missing` for one that is not there.
 */
export const pageFacts = port({
  id: 'page.facts',
  input: Type.Object({
    url: or(nullable(Type.String({ minLength: 1, maxLength: 8192, description: 'Address of the page, fetched without scripts.' })), null),
    html: or(nullable(Type.String({ maxLength: 5_000_000, description: 'The markup itself.' })), null),
    file: or(nullable(scratchFile), null),
    base: or(nullable(Type.String({ minLength: 1, maxLength: 8192, description: 'Address of the markup, for relative addresses.' })), null),
    charset: or(Type.String({ maxLength: 40, description: 'Character set of `file`, as its server said.' }), ''),
    timeout: or(Type.Integer({ minimum: 1, maximum: 120, description: 'Seconds that fetching `url` may take.' }), 30),
  }),
  output: facts,
})

export type FactsQuestion = Static<typeof pageFacts.input>
export type PageFacts = Static<typeof facts>
