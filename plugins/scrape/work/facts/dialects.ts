import type { Dialect } from './items.js'

const SCHEMA = /^https?:\/\/(?:www\.)?schema\.org\/(?=.)/
const MOST_WORDS = 10

/** https://html.spec.whatwg.org/multipage/microdata.html */
export const MICRODATA: Dialect = {
  types: (attributes) => (attributes['itemscope'] === undefined ? null : words(attributes['itemtype']).map(short)),
  names: (attributes) => words(attributes['itemprop']).map(short).filter(isName),
  id: (attributes) => attributes['itemid'],
  references: (attributes) => words(attributes['itemref']),
}

/** RDFa Lite, https://www.w3.org/TR/rdfa-lite/; names with a prefix other than `schema:` keep it. */
export const RDFA: Dialect = {
  types: (attributes, vocabulary) => {
    const types = words(attributes['typeof'])
    return types.length === 0 ? null : types.map((type) => short(/[:/]/.test(type) ? type : vocabulary + type))
  },
  names: (attributes) => words(attributes['property']).map(short).filter(isName),
  id: (attributes) => attributes['resource'],
  references: () => [],
}

function words(text: string | undefined): string[] {
  return (text ?? '')
    .slice(0, 2_000)
    .split(/\s+/, MOST_WORDS)
    .filter((word) => word !== '')
}

function short(name: string): string {
  return name.replace(SCHEMA, '').replace(/^schema:/, '')
}

function isName(name: string): boolean {
  return name !== '__proto__' && name.length <= 200
}
