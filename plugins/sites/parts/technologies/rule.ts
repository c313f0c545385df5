/**
 * How a product shows. Signs are plain texts in lower case, compared without regard to case; `{version}` in one stands for a version such as 5.2.1.
 * A sign that other products leave too is under `weak`.
 */
export interface TechnologyRule {
  readonly name: string
  /** Title of the public documentation that the signs rest on. */
  readonly docs: string
  /** `name`, or `name: text` for a value that has the text. */
  readonly headers?: readonly string[]
  /** Names of cookies; `*` at the end for names that begin so. */
  readonly cookies?: readonly string[]
  /** What `<meta name="generator">` begins with. */
  readonly generator?: readonly string[]
  /** Part of an address of a script, style sheet, frame, picture, form or preloaded file. */
  readonly urls?: readonly string[]
  /** Part of the markup: an attribute, a class, a comment. */
  readonly html?: readonly string[]
  /** Part of a string without blanks in a script inside the page: the address or file that it loads or sends to. */
  readonly scriptUrls?: readonly string[]
  /** Part of the code of a script inside the page: a global variable, or a call with its first arguments, strings in single quotes. */
  readonly globals?: readonly string[]
  /** Names below which the host, or what it is an alias of, lies. */
  readonly hosts?: readonly string[]
  /** Signs of the same kinds that say little by themselves: `header`, `url`, `html`, `script-url` or `global`, a colon and the sign. */
  readonly weak?: readonly string[]
  /** Products that it is made with. */
  readonly implies?: readonly string[]
}

/** The rules of one category. */
export interface RuleGroup {
  readonly category: string
  readonly rules: readonly TechnologyRule[]
}
