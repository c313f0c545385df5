/** Limits of one page: content beyond them is refused before any costly step. */
export const LIMITS = {
  /** Markup in bytes, as fetched. */
  bytes: 5_000_000,
  /** Elements and pieces of text. */
  nodes: 200_000,
  /** Maximum nesting of elements that are kept; deeper ones lose their tags and keep their text. */
  depth: 256,
  /** Nesting of elements from which the page is refused. */
  refuseDepth: 2_000,
  links: 5_000,
  /** Addresses checked in a text or a list of links, including repeated and invalid ones. */
  addresses: 10_000,
  attribute: 8_192,
  /** Characters of a title checked by the rules for challenges. */
  title: 500,
} as const

/** A page over a limit; the message is a sentence for the caller. */
export class OverLimit extends Error {
  override readonly name = 'OverLimit'
}
