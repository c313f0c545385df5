import { by, capability, nullable, oneOf, or, port, Type, type Static } from '../../core/sdk/index.js'
import { registrationFind } from '../registration/contract.js'
import { normalInput } from './checks/normal-input.js'
import { violationsOf } from './checks/violations.js'

const text = (description: string) => Type.String({ description })
const textOrNull = (description: string) => nullable(text(description))
const amount = (description: string) => nullable(Type.Number({ minimum: 0, description }))
const tlds = Type.Array(Type.String({ minLength: 1, maxLength: 80 }), { maxItems: 100 })

/** Names for a business, best first: labels without an extension, or with the one that is part of the name. */
export const names = port({
  id: 'domains.names',
  input: Type.Object({
    description: Type.String({ maxLength: 4_000 }),
    company_name: or(nullable(Type.String({ maxLength: 200 })), null),
    /** Number of names wanted; fewer may be returned. */
    count: or(Type.Integer({ minimum: 1, maximum: 100 }), 40),
  }),
  output: Type.Object({
    names: Type.Array(
      Type.Object({
        /** Letters a to z, digits and hyphens. */
        label: Type.String({ pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' }),
        /** The extension that is part of the name; null if any is suitable. */
        tld: nullable(Type.String()),
        category: Type.String({ minLength: 1, maxLength: 40 }),
      }),
      { maxItems: 200 },
    ),
  }),
})

const money = Type.Object({
  registration: amount('Price for the first year.'),
  renewal: amount('Price for each further year.'),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
})

/**
 * Status of registrable domains, given as A-labels. A vendor leaves out domains that it knows nothing about.
 * `verified` is false for an available name that may turn out to be reserved or premium, and for a guess.
 */
export const availability = port({
  id: 'domains.availability',
  input: Type.Object({ domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { minItems: 1, maxItems: 100 }) }),
  output: Type.Object({
    domains: Type.Array(
      Type.Object({
        domain: Type.String(),
        /** `reserved`: cannot be registered. */
        status: oneOf('registered', 'available', 'reserved'),
        verified: Type.Boolean(),
        /** Null if the vendor does not say. */
        premium: nullable(Type.Boolean()),
        early_access: nullable(Type.Boolean()),
        /** Price of this name; null if the vendor does not say. */
        price: nullable(money),
      }),
    ),
  }),
})

/**
 * Yearly prices of ordinary names by extension. Without `tlds`, all extensions the vendor sells; vendors without such
 * a list do not serve that.
 */
export const prices = port({
  id: 'domains.prices',
  input: Type.Object({ tlds: or(tlds, []) }),
  output: Type.Object({ prices: Type.Array(Type.Object({ tld: Type.String(), ...money.properties }), { maxItems: 5_000 }) }),
})

const catalogued = Type.Object({
  tld: text('The extension without the leading dot; an internationalised one as A-label.'),
  length: Type.Integer({ minimum: 1, description: 'Number of characters, in its own script.' }),
  popularity: Type.Integer({ minimum: 0, maximum: 100, description: 'Estimated popularity, 0 to 100.' }),
  theme: text('Theme, such as tech, shop or country; brand and restricted are not open to everyone.'),
})

/** Extensions with their properties, most popular first. Without `tlds`, all of them. */
export const catalogue = port({
  id: 'domains.catalogue',
  input: Type.Object({ tlds: or(tlds, []) }),
  output: Type.Object({ extensions: Type.Array(catalogued) }),
})

const price = Type.Object({
  registration: amount('Price for the first year; null when unknown.'),
  renewal: amount('Price for each further year; null when unknown.'),
  currency: text('ISO 4217 currency code.'),
  source: text('Provider of the price.'),
  date: text('Date on which the provider was queried, YYYY-MM-DD in UTC.'),
})
const entry = Type.Object({
  domain: text('The domain as A-labels, which reveals look-alike letters.'),
  name: text('The part before the extension.'),
  tld: text('The extension.'),
  status: {
    ...oneOf('registered', 'available', 'premium', 'early-access', 'unknown'),
    description: 'unknown: no source knows the status, or the name cannot be registered (available is then false).',
  },
  available: nullable(Type.Boolean({ description: 'Whether it can be registered; null when unknown.' })),
  verified: nullable(
    Type.Boolean({
      description:
        'Whether a name server, the registry or a registrar explicitly confirms the status; false for an available ' +
        'name that only lacks a registry record, since reserved and premium names look the same; null when unknown.',
    }),
  ),
  premium: nullable(Type.Boolean({ description: 'Whether the name has a premium price; null when unknown.' })),
  early_access: nullable(Type.Boolean({ description: 'Whether the name costs more because its extension is new; null when unknown.' })),
  price: nullable(price),
  category: textOrNull('Kind of name, such as blend, prefix or hack; null outside suggest-names.'),
})
const suggested = Type.Object({
  tld: text('The extension.'),
  reason: text('Why the extension fits.'),
  price: textOrNull('Price of the first year with its currency, such as 11.08 USD; null when unknown.'),
})
const priced = Type.Object({
  tld: text('The extension.'),
  price: nullable(price),
  prices: Type.Array(price, { description: 'Price of each provider, cheapest first.' }),
})

const MODES = ['suggest-names', 'suggest-extensions', 'search-extensions', 'check-availability', 'pricing', 'extension-catalog'] as const
const given = (description: string, maxLength: number) => or(nullable(Type.String({ minLength: 1, maxLength, description })), null)
const list = (description: string, maxItems: number, maxLength: number) =>
  or(nullable(Type.Array(Type.String({ minLength: 1, maxLength }), { maxItems, description })), null)

const input = Type.Object({
  mode: or(
    {
      ...oneOf(...MODES),
      description:
        'suggest-names: brandable names, available ones first; suggest-extensions: extensions that fit a business; ' +
        'search-extensions: one name under every extension, 50 per page; check-availability: full domains; pricing: ' +
        'prices of extensions; extension-catalog: every extension.',
    },
    'suggest-names',
  ),
  company_name: given('Name of the business, for the suggest modes.', 200),
  description: given('What the business does, in a few words or sentences, for the suggest modes.', 2_000),
  company_id: given('Domain of a company known to companies.find, whose description grounds the suggestions.', 253),
  query: given('Exact name for search-extensions, such as acme; with an extension for exact_extension.', 253),
  domains: list('Full domains for check-availability, at most 100.', 100, 300),
  tlds: list('Extensions to price, or to restrict a search, suggestion or catalogue to; at most 100.', 100, 80),
  exact_extension: or(Type.Boolean({ description: 'In search-extensions, whether to check only the extension given in query.' }), false),
  offset: or(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Position of the first entry of the page, from 0.' }), 0),
})

export type DomainsInput = Static<typeof input>
export type Availability = Static<typeof availability.output>['domains'][number]
export type Name = Static<typeof names.output>['names'][number]
export type Money = Static<typeof money>
export type ExtensionPrice = Static<typeof prices.output>['prices'][number]
export type Price = Static<typeof price>
export type Entry = Static<typeof entry>
export type Suggested = Static<typeof suggested>
export type Priced = Static<typeof priced>
export type DomainsAnswer = Static<typeof domains.output>

/** Domain names: suggestions, extensions, availability, prices. */
export const domains = capability({
  id: 'domains',
  path: '/v1/domains',
  phrases: [
    { say: '* domain name tld extension ending available buy taken brand price cost register free' },
    { say: 'suggest|find|need|invent|propose domain|brand name|names for {description}', params: { mode: 'suggest-names' } },
    { say: 'name|names ideas for {description}', params: { mode: 'suggest-names' } },
    { say: 'suggest|invent|propose name|names for {description}', params: { mode: 'suggest-names' } },
    { say: 'domain|brand name for {description}', params: { mode: 'suggest-names' } },
    { say: 'is|are {domains} available|free|taken|registered', params: { mode: 'check-availability' } },
    { say: 'domain available|free|taken|buy', params: { mode: 'check-availability' } },
    { say: 'domains|extensions|tlds cost|price|prices', params: { mode: 'pricing' } },
    { say: 'cost|price|prices of {tlds} domains|extensions', params: { mode: 'pricing' } },
    { say: 'compare prices|cost of {tlds}', params: { mode: 'pricing' } },
    { say: 'which|what extensions|tlds is|are name {query} free|available', params: { mode: 'search-extensions' } },
    { say: 'extensions|endings|tlds name {query} free|available|taken', params: { mode: 'search-extensions' } },
    { say: 'name {query} free|available|taken under|in extensions|endings|tlds', params: { mode: 'search-extensions' } },
    { say: 'which|what|suggest extensions|tlds|endings|domains fit|suit|good {description}', params: { mode: 'suggest-extensions' } },
    { say: 'all|list extensions|tlds|endings', params: { mode: 'extension-catalog' } },
  ],
  title: 'Suggest and check domain names',
  description:
    'Suggests names for a business with availability and price (suggest-names) or extensions that fit it ' +
    '(suggest-extensions). Checks one name under every extension (search-extensions) or up to 100 full domains ' +
    '(check-availability). Compares registrar prices (pricing) and lists all extensions with length, popularity and ' +
    'theme (extension-catalog). search-extensions returns 50 entries per page. A name without a registry record is ' +
    'reported as available; notes say if no registrar confirmed that, since reserved and premium names look the same.',
  input,
  output: Type.Object({
    names: Type.Array(entry, { description: 'Suggested names, in mode suggest-names.' }),
    domains: Type.Array(entry, { description: 'Checked domains, in modes check-availability and search-extensions.' }),
    extensions: Type.Array(Type.Union([suggested, priced, catalogued]), {
      description: 'Extensions, in modes suggest-extensions, pricing and extension-catalog.',
    }),
    total: Type.Integer({ minimum: 0, description: 'Number of entries on all pages.' }),
    offset: Type.Integer({ minimum: 0, description: 'Position of the first entry, from 0.' }),
    limit: Type.Integer({ minimum: 0, description: 'Maximum number of entries per page.' }),
  }),
  price: by('mode', {
    'suggest-names': 5,
    'suggest-extensions': 3,
    'search-extensions': 2,
    'check-availability': 1,
    pricing: 1,
    'extension-catalog': 1,
  }),
  timeoutMs: 30_000,
  work: 'light',
  uses: [names, availability, prices, catalogue, registrationFind],
  requires: ({ mode }) => REQUIRED[mode],
  normalise: normalInput,
  check: violationsOf,
  examples: [
    { title: 'Names for a bakery', params: { description: 'A bakery in Lisbon that sells sourdough bread by subscription' } },
    { title: 'Extensions that fit', params: { mode: 'suggest-extensions', description: 'Open source tools for solar power plants' } },
    { title: 'One name under every extension', params: { mode: 'search-extensions', query: 'acme' } },
    { title: 'Availability of full domains', params: { mode: 'check-availability', domains: ['example.com', 'acme-kettles.io'] } },
    { title: 'Prices of extensions', params: { mode: 'pricing', tlds: ['com', 'io', 'dev'] } },
    { title: 'All extensions', params: { mode: 'extension-catalog' } },
  ],
})

const REQUIRED = {
  'suggest-names': [names, availability],
  'suggest-extensions': [catalogue],
  'search-extensions': [catalogue, availability],
  'check-availability': [availability],
  pricing: [catalogue, prices],
  'extension-catalog': [catalogue],
} as const
