import { Fault, nullable, oneOf, Type, type ProviderContext, type Services, type Static } from '../../../core/sdk/index.js'
import { technologiesOf } from '../../sites/contract.js'
import type { Question } from '../contract.js'
import { registrableOf } from '../domain.js'
import { socialLinks } from '../values/social.js'
import type { Home, HomeInput } from '../work/home.js'
import { factsOf, type FetchedPage } from './facts-of.js'
import { fetchHome } from './fetch-home.js'
import { manifestAt } from './manifest.js'
import { nameOf } from './name.js'
import { organizationIn } from './organization.js'
import type { PageFacts } from './page-facts.js'
import { parkedAs } from './parked.js'
import { picturesOf } from './pictures.js'

const HOME = new URL('../work/home.js', import.meta.url)
const WORK_MS = 8_000
/** Long enough for both ports of one call, which start together, to read the site once. */
const KEPT_S = 2

const text = nullable(Type.String())
const texts = Type.Array(Type.String())

/** Facts about a company on its website. */
const siteShape = Type.Object({
  url: Type.String(),
  redirects_to: text,
  parked: text,
  name: text,
  description: text,
  industry: text,
  headquarters: text,
  founded_year: nullable(Type.Integer()),
  employees: nullable(Type.Integer()),
  ticker: text,
  social_links: Type.Record(Type.String(), Type.String()),
  technologies: texts,
  colours: texts,
  logos: texts,
  icons: texts,
  text: Type.String(),
  /** Pages that may have more facts. */
  further: Type.Array(Type.Object({ kind: oneOf('about', 'imprint', 'contact'), url: Type.String() })),
})

type Site = Static<typeof siteShape>

/** Reads the website of a domain, once for concurrent callers. Throws as `fetchHome` and `page.facts`. */
export async function siteOf<S>({ domain, host }: Question, ctx: ProviderContext<S>): Promise<Site> {
  return await ctx.cache.get(['site', host], { shape: siteShape, seconds: KEPT_S }, (own) => readSite({ domain, host }, own))
}

async function readSite({ domain, host }: Pick<Question, 'domain' | 'host'>, ctx: Services): Promise<Site> {
  const { url, bytes, charset, headers } = await fetchHome(host, ctx)
  const profile = registrableOf(url) === domain ? {} : socialLinks([url])
  // The page is a profile on a social network and describes the network.
  if (Object.keys(profile).length > 0) return { ...nothing(url), redirects_to: registrableOf(url), social_links: profile }
  const [{ facts, home, parked, manifest }, technologies] = await Promise.all([
    readHome({ bytes, charset, url }, ctx),
    spared(() => technologiesOf({ url, headers, html: bytes }, ctx), [], ctx),
  ])
  const { description } = facts
  const elsewhere = registrableOf(url)
  const organization = organizationIn(facts, domain)
  const { logos, icons } = picturesOf(facts, { home, manifest, organization })
  return {
    url,
    redirects_to: elsewhere === null || elsewhere === domain ? null : elsewhere,
    parked,
    name: nameOf(facts, { domain: elsewhere ?? domain, organization: organization?.name ?? null, manifest: manifest?.name ?? null }),
    description: description ?? organization?.description ?? null,
    industry: organization?.industry ?? null,
    headquarters: organization?.headquarters ?? home.address,
    founded_year: organization?.founded ?? home.founded,
    employees: organization?.employees ?? null,
    ticker: organization?.ticker ?? null,
    social_links: socialLinks([...(organization?.profiles ?? []), ...facts.social.map((each) => each.url), twitterOf(facts)]),
    technologies: technologies.filter(({ confidence }) => confidence !== 'low').map(({ name }) => name),
    colours: [facts.theme_color, ...(manifest?.colours ?? []), ...home.colours].filter((colour) => colour !== null),
    logos,
    icons,
    text: home.text,
    further: parked === null ? [...home.further] : [],
  }
}

async function readHome(page: FetchedPage, ctx: Services) {
  const [facts, home] = await Promise.all([
    factsOf(page, ctx),
    ctx.work<Home>(HOME, { ...page, kind: 'home' } satisfies HomeInput, { timeoutMs: WORK_MS }),
  ])
  const { title, description, headings } = facts
  const parked = parkedAs({ url: page.url, title, description, headings: headings.map((each) => each.text), ...home })
  return { facts, home, parked, manifest: parked === null ? await manifestAt(facts.manifest, ctx) : null }
}

function nothing(url: string): Site {
  const texts = { redirects_to: null, parked: null, name: null, description: null, industry: null, headquarters: null, ticker: null }
  const lists = { technologies: [], colours: [], logos: [], icons: [], further: [] }
  return { url, ...texts, founded_year: null, employees: null, social_links: {}, ...lists, text: '' }
}

/** `<meta name="twitter:site" content="@acme">` */
function twitterOf({ twitter }: PageFacts): string | null {
  const [, handle] = /^@(\w{1,15})$/.exec(twitter['site']?.[0] ?? '') ?? []
  return handle === undefined ? null : `https://twitter.com/${handle}`
}

/** An optional part of the answer. */
async function spared<T>(work: () => Promise<T>, without: T, ctx: Services): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    ctx.log('a part of a website could not be read', { kind: error.kind })
    return without
  }
}
