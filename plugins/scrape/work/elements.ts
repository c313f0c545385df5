/** Elements whose content is never readable text. */
export const DROPPED = new Set([
  'script', 'style', 'svg', 'canvas', 'object', 'embed', 'applet', 'iframe', 'input', 'select', 'textarea', 'button', 'datalist', 'meter', 'progress',
  'audio', 'video', 'map', 'dialog', 'head', 'noscript', 'template', 'frameset', 'noframes', 'portal', 'fencedframe',
]) // prettier-ignore

/** Elements and roles that are never content unless they contain the page heading. */
const NEVER = new Set(['nav', 'footer'])
const NEVER_ROLES = new Set(['navigation', 'contentinfo', 'search', 'menu', 'menubar'])

/** Elements and roles that often surround the content, and sometimes contain it. */
const FRAME = new Set(['header', 'aside', 'form'])
const FRAME_ROLES = new Set(['banner', 'complementary', 'dialog', 'alertdialog'])

/** Attribute of a link within the page: the id of its target. */
export const TO = 'data-to'

export const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'param',
  'source',
  'track',
  'wbr',
  'frame',
])

/** Class and id words of non-content parts. */
const BESIDE =
  /(?:^|[\s_-])(?:cookie|consent|gdpr|breadcrumbs?|sidebar|related|recommend(?:ed|ations)?|share|sharing|social|newsletter|subscribe|advert(?:isement)?|ads?|banner|popup|modal|promo|comments?|comment-list|disqus|pagination|pager|skip-link|toolbar|sponsor(?:ed)?)(?:[\s_-]|$)/i

/** Elements with content; a header inside belongs to the content. */
export const CONTENT = new Set(['main', 'article'])

/** Elements whose header and footer attribute their content. */
export const QUOTED = new Set(['blockquote', 'figure'])

/**
 * The appearance of an element by its name, role, class and id alone: content (null), a part beside it, or `frame`,
 * one that is not content even with most of the page's text. Class words are also used by layouts around the content
 * ("with-sidebar"), so the content of a part is also considered: `Outline`.
 */
export type Look = 'beside' | 'frame' | null

/** The appearance of an element. `inside`: names of ancestors that contain content or quote something. */
export function lookOf(
  name: string,
  attribute: (name: string) => string | null | undefined,
  inside: { readonly content: boolean; readonly quoted: boolean },
): Look {
  if (name === 'html' || name === 'body' || CONTENT.has(name)) return null
  const role = attribute('role') ?? ''
  if (NEVER_ROLES.has(role)) return 'frame'
  if (NEVER.has(name)) return name === 'footer' && inside.quoted ? null : 'frame'
  if ((FRAME.has(name) && !(name === 'header' && inside.content)) || FRAME_ROLES.has(role)) return 'beside'
  return hasBesideWord(attribute) ? 'beside' : null
}

/** Whether class or id contain a word of non-content parts. */
export function hasBesideWord(attribute: (name: string) => string | null | undefined): boolean {
  return BESIDE.test(labelOf(attribute))
}

/** Class and id of an element, up to the length that is searched. */
export function labelOf(attribute: (name: string) => string | null | undefined): string {
  return `${attribute('class') ?? ''} ${attribute('id') ?? ''}`.slice(0, 500)
}

/** Consent dialogs, by product and by common names. */
export const CONSENT =
  /(?:^|\s)(?:(?:cybot|onetrust-|didomi-|usercentrics|truste-|qc-cmp|sp_message_container|cmplz-|cky-)[\w-]*|(?:cookies?|consent|gdpr|privacy)[_-]?(?:banner|bar|notice|popup|modal|overlay|dialog|layer|wall|consent|message|hint))(?:\s|$)/i

/** Small links inside headings that repeat the heading's own address. */
export const ANCHOR =
  /(?:^|[\s_-])(?:headerlink|header-anchor|heading-anchor|anchor(?:-?link)?|permalink|hash-link|octicon-link|mw-editsection)(?:[\s_-]|$)/i

/** Columns of line numbers beside code. */
export const GUTTER = /(?:^|\s)(?:gutter|linenos?|line-numbers?(?:-rows)?|linenodiv|rouge-gutter|blob-num)(?:\s|$)/i

const FENCE = /(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source-|text-)?|brush:\s*|sourceCode\s+)([a-z0-9+#_.-]{1,30})/i
const NOT_A_LANGUAGE = new Set(['none', 'plaintext', 'text', 'plain', 'code', 'default', 'nohighlight', 'wrapper', 'container', 'block'])

/** The code language in a class attribute, lower case, or an empty string. */
export function fenceLanguage(attributes: Readonly<Record<string, string>>): string {
  const direct = attributes['data-lang'] ?? attributes['data-language']
  const found = direct ?? FENCE.exec((attributes['class'] ?? '').slice(0, 500))?.[1] ?? ''
  const language = found.trim().toLowerCase()
  return /^[a-z0-9+#_.-]{1,30}$/.test(language) && !NOT_A_LANGUAGE.has(language) ? language : ''
}
