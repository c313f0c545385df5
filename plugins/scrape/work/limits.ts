/** Bounds of one page: what is beyond them is refused before anything costly looks at it. */
export const LIMITS = {
  /** Markup in bytes, as fetched. */
  bytes: 5_000_000,
  /** Elements and pieces of text. */
  nodes: 200_000,
  /** Elements inside each other that are kept; deeper ones lose their tags and keep their text. */
  depth: 256,
  /** Elements inside each other beyond which the page is refused. */
  refuseDepth: 2_000,
  links: 5_000,
  /** Addresses looked at in a text or a list of links, repeated and broken ones included. */
  addresses: 10_000,
  attribute: 8_192,
  /** Characters of a title that the rules for challenges look at. */
  title: 500,
} as const

/** A page over a limit; the message is a sentence for the caller. */
export class OverLimit extends Error {
  override readonly name = 'OverLimit'
}
