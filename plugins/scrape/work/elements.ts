/** Elements whose content is never text for a reader. */
export const DROPPED = new Set([
  'script', 'style', 'svg', 'canvas', 'object', 'embed', 'applet', 'iframe', 'input', 'select', 'textarea', 'button', 'datalist', 'meter', 'progress',
  'audio', 'video', 'map', 'dialog', 'head', 'noscript', 'template', 'frameset', 'noframes', 'portal', 'fencedframe',
]) // prettier-ignore

/** Elements and roles that are never content unless they hold the heading of the page. */
const NEVER = new Set(['nav', 'footer'])
const NEVER_ROLES = new Set(['navigation', 'contentinfo', 'search', 'menu', 'menubar'])

/** Elements and roles that often frame a page, and sometimes hold its content. */
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

/** Class and id words of what is beside the content. */
const BESIDE =
  /(?:^|[\s_-])(?:cookie|consent|gdpr|breadcrumbs?|sidebar|related|recommend(?:ed|ations)?|share|sharing|social|newsletter|subscribe|advert(?:isement)?|ads?|banner|popup|modal|promo|comments?|comment-list|disqus|pagination|pager|skip-link|toolbar|sponsor(?:ed)?)(?:[\s_-]|$)/i

/** Elements that hold content; a header in one is the content's own. */
export const CONTENT = new Set(['main', 'article'])

/** Elements whose header and footer say whose words or picture they hold. */
export const QUOTED = new Set(['blockquote', 'figure'])

/**
 * What an element looks like by its name, role, class and id alone: content (null), a part beside it, or `frame`, one that is beside the content
 * even where most of the text of the page is in it. The words of classes are also those of layouts around the content ("with-sidebar"), so a part
 * is judged by what it holds too: `Outline`.
 */
export type Look = 'beside' | 'frame' | null

/** The look of an element. `inside`: names of elements around it that hold content or quote something. */
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

/** Whether class or id have a word of what is beside the content. */
export function hasBesideWord(attribute: (name: string) => string | null | undefined): boolean {
  return BESIDE.test(labelOf(attribute))
}

/** Class and id of an element, as far as words are looked for in them. */
export function labelOf(attribute: (name: string) => string | null | undefined): string {
  return `${attribute('class') ?? ''} ${attribute('id') ?? ''}`.slice(0, 500)
}

/** Windows that ask for consent, by the products that show them and by common names. */
export const CONSENT =
  /(?:^|\s)(?:(?:cybot|onetrust-|didomi-|usercentrics|truste-|qc-cmp|sp_message_container|cmplz-|cky-)[\w-]*|(?:cookies?|consent|gdpr|privacy)[_-]?(?:banner|bar|notice|popup|modal|overlay|dialog|layer|wall|consent|message|hint))(?:\s|$)/i

/** Small links inside headings that only repeat the heading's address. */
export const ANCHOR =
  /(?:^|[\s_-])(?:headerlink|header-anchor|heading-anchor|anchor(?:-?link)?|permalink|hash-link|octicon-link|mw-editsection)(?:[\s_-]|$)/i

/** Columns of line numbers beside code. */
export const GUTTER = /(?:^|\s)(?:gutter|linenos?|line-numbers?(?:-rows)?|linenodiv|rouge-gutter|blob-num)(?:\s|$)/i

const FENCE = /(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source-|text-)?|brush:\s*|sourceCode\s+)([a-z0-9+#_.-]{1,30})/i
const NOT_A_LANGUAGE = new Set(['none', 'plaintext', 'text', 'plain', 'code', 'default', 'nohighlight', 'wrapper', 'container', 'block'])

/** The language a class attribute names for code, lower case, or an empty string. */
export function fenceLanguage(attributes: Readonly<Record<string, string>>): string {
  const direct = attributes['data-lang'] ?? attributes['data-language']
  const found = direct ?? FENCE.exec((attributes['class'] ?? '').slice(0, 500))?.[1] ?? ''
  const language = found.trim().toLowerCase()
  return /^[a-z0-9+#_.-]{1,30}$/.test(language) && !NOT_A_LANGUAGE.has(language) ? language : ''
}
