import { XMLParser } from 'fast-xml-parser'

/** One name of `namecheap.domains.check`, unparsed. */
export interface CheckedName {
  readonly domain: string
  readonly available: boolean
  /** The check of this name failed. */
  readonly failed: boolean
  readonly premium: boolean
  readonly registration: string
  readonly renewal: string
  readonly earlyFee: string
}

/** One extension of `namecheap.users.getPricing`, for one year, unparsed. */
export interface PricedProduct {
  readonly tld: string
  readonly price: string
  readonly currency: string
}

export interface NamecheapReading {
  /** False when the answer is not in Namecheap's format. */
  readonly understood: boolean
  readonly names: readonly CheckedName[]
  readonly products: readonly PricedProduct[]
}

type Element = Readonly<Record<string, unknown>>

const DEEPEST = 20

/** Parses an answer of Namecheap's API. */
export default function read(text: string): NamecheapReading {
  const root = rootOf(text)
  const understood = root !== null && attribute(root, 'Status') === 'OK'
  if (root === null || !understood) return { understood: false, names: [], products: [] }
  const responses = children(root, 'CommandResponse')
  return {
    understood: responses.length > 0,
    names: responses.flatMap((response) => children(response, 'DomainCheckResult')).map(checkedName),
    products: responses
      .flatMap((response) => children(response, 'UserGetPricingResult'))
      .flatMap((result) => children(result, 'ProductType'))
      .flatMap((type) => children(type, 'ProductCategory'))
      .flatMap((category) => children(category, 'Product'))
      .flatMap(pricedProduct),
  }
}

function checkedName(element: Element): CheckedName {
  return {
    domain: attribute(element, 'Domain').toLowerCase(),
    available: attribute(element, 'Available').toLowerCase() === 'true',
    failed: !['', '0'].includes(attribute(element, 'ErrorNo')),
    premium: attribute(element, 'IsPremiumName').toLowerCase() === 'true',
    registration: attribute(element, 'PremiumRegistrationPrice'),
    renewal: attribute(element, 'PremiumRenewalPrice'),
    earlyFee: attribute(element, 'EapFee'),
  }
}

function pricedProduct(product: Element): PricedProduct[] {
  const year = children(product, 'Price').find(
    (price) => attribute(price, 'Duration') === '1' && ['', 'YEAR'].includes(attribute(price, 'DurationType').toUpperCase()),
  )
  if (year === undefined) return []
  return [{ tld: attribute(product, 'Name').toLowerCase(), price: attribute(year, 'Price'), currency: attribute(year, 'Currency') }]
}

function rootOf(text: string): Element | null {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return null
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    processEntities: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    maxNestedTags: DEEPEST,
  })
  try {
    const [root] = children(parser.parse(text, true), 'ApiResponse')
    return root ?? null
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return null
  }
}

function children(value: unknown, name: string): Element[] {
  if (!isElement(value)) return []
  return [value[name]].flat().filter(isElement)
}

function attribute(element: Element, name: string): string {
  const value = element[`@${name}`]
  return typeof value === 'string' ? value.trim() : ''
}

function isElement(value: unknown): value is Element {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
