import { by, capability, nullable, oneOf, or, port, Type, type Static } from '../../core/sdk/index.js'
import { addressViolations } from './page/address.js'

export { pageFacts } from './facts-contract.js'
export { addressViolations } from './page/address.js'
export { pageVerdict } from './verdict-contract.js'
export { profileOf } from './work/facts/social.js'

const url = Type.String({ minLength: 1, maxLength: 8192, description: 'URL of the page, http or https.' })
const output = or(oneOf('markdown', 'html'), 'markdown')
const waitFor = or(
  nullable(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'CSS selector of an element that must be present before the page is read. Mode fast checks the HTML as served.',
    }),
  ),
  null,
)
const timeout = or(Type.Integer({ minimum: 1, maximum: 120, description: 'Seconds allowed for reading the page.' }), 30)

/** Input of every port that reads pages. */
const question = Type.Object({
  url,
  output,
  wait_for: waitFor,
  timeout,
  /** Also take a screenshot; vendors that cannot leave `screenshot_url` null. */
  screenshot: or(Type.Boolean(), false),
  /** Scroll at most 10 screens to load lazy content before the page is read; vendors that cannot scroll ignore it. */
  scroll: or(Type.Boolean(), false),
})

/** A page as readable text. */
const page = Type.Object({
  content: Type.String({ description: 'Readable content of the page, as Markdown or cleaned HTML.' }),
  title: nullable(Type.String()),
  description: nullable(Type.String()),
  links: Type.Array(Type.String(), {
    maxItems: 5000,
    description: 'Absolute http and https URLs that the page links to, in order, without duplicates.',
  }),
  screenshot_url: nullable(Type.String({ description: 'URL of a screenshot of the page; null when none was taken.' })),
})

export type Question = Static<typeof question>
export type ReadPage = Static<typeof page>

/** Reads a page by plain HTTP, without running scripts. */
export const scrapeFetch = port({ id: 'scrape.fetch', input: question, output: page })

/** Reads a page in a browser, with scripts. */
export const scrapeRender = port({ id: 'scrape.render', input: question, output: page })

/** Reads a page that blocks ordinary browsers. */
export const scrapeStealth = port({ id: 'scrape.stealth', input: question, output: page })

/** Turns a web page or document into clean Markdown or HTML. */
export const scrape = capability({
  id: 'scrape',
  path: '/v1/scrape',
  phrases: [
    { say: '* visit load article webpage blog documentation links text content website markdown html crawl' },
    { say: 'scrape|crawl {url}' },
    { say: 'read|fetch|open {url}' },
    { say: 'read|fetch|get|extract page|website|site|article|webpage {url}' },
    { say: 'content|text|markdown|html of|from {url}' },
    { say: 'content of web page' },
    { say: 'what does page|site|article {url} say' },
    { say: 'summarise|summarize page|article {url}' },
    { say: 'web page as markdown', params: { output: 'markdown' } },
    { say: 'quickly without scripts|javascript', params: { mode: 'fast' } },
    { say: 'without javascript|scripts|browser', params: { mode: 'fast' } },
    { say: 'stealth', params: { mode: 'thorough' } },
    { say: 'blocks|refuses bots|visitors', params: { mode: 'thorough' } },
  ],
  title: 'Read a web page',
  description:
    'Reads a web page or online document and returns its readable content as Markdown or cleaned HTML, with title, ' +
    'description and links. Mode fast fetches the page without running scripts and suits articles, documentation, ' +
    'PDF, office documents, JSON and text files; standard renders it in a browser and suits pages built by scripts; ' +
    'thorough adds a stealth browser for sites that block ordinary ones, and a screenshot. Pages that refuse access, ' +
    'show a CAPTCHA or require a login fail with an error and are not charged.',
  input: Type.Object({
    url,
    mode: or(
      {
        ...oneOf('fast', 'standard', 'thorough'),
        description: 'fast: HTTP fetch; standard: browser; thorough: browser, then a stealth browser if blocked.',
      },
      'standard',
    ),
    output: or({ ...oneOf('markdown', 'html'), description: 'Format of the content.' }, 'markdown'),
    wait_for: waitFor,
    timeout,
  }),
  output: page,
  price: by('mode', { fast: 1, standard: 2, thorough: 5 }),
  deadline: 'timeout + 15, plus 60 in mode thorough; at most 195',
  timeoutMs: ({ timeout, mode }) => (timeout + 15 + (mode === 'thorough' ? 60 : 0)) * 1000,
  products: ['browser'],
  work: 'light',
  uses: [scrapeFetch, scrapeRender, scrapeStealth],
  requires: ({ mode }) => (mode === 'fast' ? [scrapeFetch] : mode === 'standard' ? [scrapeRender] : [scrapeRender, scrapeStealth]),
  check: ({ url }) => addressViolations(url),
  examples: [
    { title: 'Read an article as Markdown without a browser', params: { url: 'https://example.com/', mode: 'fast' } },
    { title: 'Read a page built by scripts', params: { url: 'https://example.com/prices', wait_for: '#prices' } },
    { title: 'Get the cleaned HTML of a page', params: { url: 'https://example.com/docs/start', mode: 'fast', output: 'html' } },
    {
      title: 'Read a page that blocks ordinary browsers',
      params: { url: 'https://example.com/shop/kettle', mode: 'thorough', timeout: 60 },
    },
  ],
})
