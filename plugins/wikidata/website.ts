import { port, Type } from '../../core/sdk/index.js'

/**
 * Items whose official website is a domain, by Wikidata's query service. Ends within 5 s: with a `busy` Fault when
 * the service takes longer or requests a pause, `missing` when no item has the website in its usual notations, which
 * does not mean that there is none.
 */
export const wikidataWebsite = port({
  id: 'wikidata.website',
  input: Type.Object({
    domain: Type.String({
      pattern: '^[a-z0-9-]+(?:\\.[a-z0-9-]+)+$',
      maxLength: 253,
      description: 'A domain as A-labels, without `www.`.',
    }),
  }),
  output: Type.Object({ ids: Type.Array(Type.String({ pattern: '^Q\\d+$' })) }),
})
