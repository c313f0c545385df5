/** Elements whose content is never text for a reader. */
export const DROPPED = new Set([
  'script', 'style', 'svg', 'canvas', 'object', 'embed', 'applet', 'iframe', 'input', 'select', 'textarea', 'button', 'datalist', 'meter', 'progress',
  'audio', 'video', 'map', 'dialog', 'head', 'noscript', 'template', 'frameset', 'noframes', 'portal', 'fencedframe',
]) // prettier-ignore

/** Elements that frame a page rather than being its content. */
const FRAME = new Set(['nav', 'header', 'footer', 'aside', 'form'])

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

/** Roles of what is beside the content. */
const BESIDE_ROLES = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search', 'dialog', 'alertdialog', 'menu', 'menubar'])

/** Elements that hold content; a header in one is the content's own. */
export const CONTENT = new Set(['main', 'article'])

/** Whether an element frames the content or stands beside it, by its name, role, class and id. `inContent`: it is inside one that holds content. */
export function isBeside(name: string, attribute: (name: string) => string | null | undefined, inContent: boolean): boolean {
  if (name === 'html' || name === 'body' || CONTENT.has(name)) return false
  if ((FRAME.has(name) && !(inContent && name === 'header')) || BESIDE_ROLES.has(attribute('role') ?? '')) return true
  return BESIDE.test(`${attribute('class') ?? ''} ${attribute('id') ?? ''}`.slice(0, 500))
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
