import { parseUrl } from '../../../core/sdk/index.js'

/** Hosts that sell domains, or show advertisements on parked ones. */
const SELLERS: readonly string[] = [
  'sedo.com',
  'sedoparking.com',
  'hugedomains.com',
  'dan.com',
  'afternic.com',
  'bodis.com',
  'parkingcrew.net',
  'parklogic.com',
  'above.com',
  'domainmarket.com',
  'buydomains.com',
  'uniregistry.com',
  'undeveloped.com',
  'squadhelp.com',
  'atom.com',
  'brandbucket.com',
  'namebright.com',
  'dsnextgen.com',
  'domainlore.uk',
  'efty.com',
  'epik.com',
  'parkedpage.com',
  'parking.reg.ru',
  'cashparking.com',
]
const FOR_SALE =
  /\b(?:this |the )?(?:premium )?domain(?: name)?(?: \S{3,80})? (?:is |may be |might be )?(?:now )?(?:for sale|available for purchase)\b|^(?=\S+\.\S)\S+ (?:is|may be) for sale\b|\bbuy this domain\b|\bdomain for sale\b|\bdiese domain (?:steht|ist) zu[mr]? verkauf\b|\bce nom de domaine est (?:à|a) vendre\b|\bdominio (?:en|in) venta?\b/i
const PARKED =
  /\bparked (?:free|domain|page|by|with)\b|\bdomain (?:is )?parked\b|\bdomain (?:name )?parking\b|\bfuture home of\b|\bthis domain (?:has|was) (?:recently )?(?:been )?(?:registered|expired)\b|\bdomain (?:has )?expired\b|\bdiese domain (?:wurde|ist) (?:registriert|geparkt)\b/i
const PLACEHOLDER =
  /^(?:welcome to nginx!?|apache2? (?:ubuntu|debian|http server)?.{0,20}default page.*|test page for .{0,60}|iis windows server|it works!?|index of \/|domain default page|default (?:web site|parallels plesk) page.*|web server's default page|congratulations! your (?:site|website) is.*|account suspended|website (?:coming soon|under construction)|coming soon|under construction|site not found.*)$/i
const FEW = 1_500

/** Content of a page by which a parked domain is recognised. */
export interface PageSigns {
  readonly url: string
  readonly title: string | null
  readonly headings: readonly string[]
  readonly description: string | null
  readonly text: string
  readonly loads: readonly string[]
  readonly script: string
}

/** What a page is instead of a company's website, as the end of a sentence; null for a website. */
export function parkedAs(page: PageSigns): string | null {
  const host = parseUrl(page.url)?.hostname ?? ''
  const seller = SELLERS.find((each) => isBelow(host, each))
  if (seller !== undefined) return `it leads to ${seller}, which sells or parks domains`
  const loader = page.loads
    .map((address) => parseUrl(address, page.url)?.hostname ?? '')
    .find((each) => SELLERS.some((one) => isBelow(each, one)))
  if (loader !== undefined && page.text.length < FEW) return `its page is made by ${loader}, which parks domains`
  // Company pages mention domains too, but are longer.
  const few = page.text.length < FEW
  const shown = [page.title, page.description, ...page.headings].filter((each) => each !== null)
  if (few && [...shown, page.text].some((each) => FOR_SALE.test(each))) return 'its page offers the domain for sale'
  if (few && [...shown, page.text].some((each) => PARKED.test(each))) return 'its page is one for domains that are not used'
  if (page.text.length < 40 && /["'=(]\/lander\b/.test(page.script)) return 'its page is one for domains that are not used'
  if (few && [page.title, ...page.headings.slice(0, 1)].some((each) => each !== null && PLACEHOLDER.test(each.trim())))
    return `its page is a placeholder ("${String(page.title ?? page.headings[0]).slice(0, 60)}")`
  return null
}

function isBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}
