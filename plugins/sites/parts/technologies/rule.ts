/**
 * How a product is recognised. Signs are plain lower-case texts, compared case-insensitively; `{version}` in one
 * matches a version such as 5.2.1. A sign shared with other products is under `weak`.
 */
export interface TechnologyRule {
  readonly name: string
  /** Title of the public documentation of the signs. */
  readonly docs: string
  /** `name`, or `name: text` for a value that contains the text. */
  readonly headers?: readonly string[]
  /** Names of cookies; with `*` at the end, prefixes of names. */
  readonly cookies?: readonly string[]
  /** Prefix of `<meta name="generator">`. */
  readonly generator?: readonly string[]
  /** Part of an address of a script, style sheet, frame, picture, form or preloaded file. */
  readonly urls?: readonly string[]
  /** Part of the markup: an attribute, a class, a comment. */
  readonly html?: readonly string[]
  /** Part of a string without blanks in an inline script: the address or file that it loads or sends to. */
  readonly scriptUrls?: readonly string[]
  /** Part of the code of an inline script: a global variable, or a call with its first arguments, strings in single quotes. */
  readonly globals?: readonly string[]
  /** Parent names of the host, or of its alias target. */
  readonly hosts?: readonly string[]
  /** Weak signs of the same kinds: `header`, `url`, `html`, `script-url` or `global`, a colon and the sign. */
  readonly weak?: readonly string[]
  /** Products that it is built with. */
  readonly implies?: readonly string[]
}

/** The rules of one category. */
export interface RuleGroup {
  readonly category: string
  readonly rules: readonly TechnologyRule[]
}
