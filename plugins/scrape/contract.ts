import { by, capability, nullable, oneOf, or, port, Type, type Static } from '../../core/sdk/index.js'
import { addressViolations } from './page/address.js'

export { pageFacts } from './facts-contract.js'
export { addressViolations } from './page/address.js'
export { pageVerdict } from './verdict-contract.js'
export { profileOf } from './work/facts/social.js'

const url = Type.String({ minLength: 1, maxLength: 8192, description: 'Address of the page, http or https.' })
const output = or(oneOf('markdown', 'html'), 'markdown')
const waitFor = or(
  nullable(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'CSS selector of an element that must be there before the page is read; fast mode looks for it in the page as delivered.',
    }),
  ),
  null,
)
const timeout = or(Type.Integer({ minimum: 1, maximum: 120, description: 'Seconds the page may take.' }), 30)

/** One page, asked for in the same words of every port that can read pages. */
const question = Type.Object({
  url,
  output,
  wait_for: waitFor,
  timeout,
  /** Ask for a picture too; vendors that cannot take one leave `screenshot_url` null. */
  screenshot: or(Type.Boolean(), false),
  /** Scroll through what is loaded only then, 10 screens at most, before the page is read; vendors that cannot do not. */
  scroll: or(Type.Boolean(), false),
})

/** A page as readable text. */
const page = Type.Object({
  content: Type.String({ description: 'The readable part of the page, as Markdown or cleaned HTML.' }),
  title: nullable(Type.String()),
  description: nullable(Type.String()),
  links: Type.Array(Type.String(), {
    maxItems: 5000,
    description: 'Absolute http and https addresses the page links to, each once, in order.',
  }),
  screenshot_url: nullable(Type.String({ description: 'Picture of the page, when one was taken.' })),
})

export type Question = Static<typeof question>
export type ReadPage = Static<typeof page>

/** Reads a page by plain HTTP, without running scripts. */
export const scrapeFetch = port({ id: 'scrape.fetch', input: question, output: page })

/** Reads a page in a browser, with scripts. */
export const scrapeRender = port({ id: 'scrape.render', input: question, output: page })

/** Reads a page that refuses ordinary browsers. */
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
    'Reads a web page or an online document and gives its readable content as Markdown (or cleaned HTML) with title, description and all links. ' +
    'fast fetches without running scripts and suits articles, documentation, PDF, office documents, JSON and text files; standard opens the page in a browser and suits pages built by scripts; ' +
    'thorough adds a stealth browser for sites that turn ordinary ones away, and a picture of the page. Pages that refuse access, show a captcha or want a login are an error and cost nothing.',
  input: Type.Object({
    url,
    mode: or(
      {
        ...oneOf('fast', 'standard', 'thorough'),
        description: 'fast: plain fetch; standard: browser; thorough: browser, then a stealth browser when refused.',
      },
      'standard',
    ),
    output: or({ ...oneOf('markdown', 'html'), description: 'Form of the content.' }, 'markdown'),
    wait_for: waitFor,
    timeout,
  }),
  output: page,
  price: by('mode', { fast: 1, standard: 2, thorough: 5 }),
  deadline: 'timeout + 15, and 60 more in mode thorough: at most 195',
  timeoutMs: ({ timeout, mode }) => (timeout + 15 + (mode === 'thorough' ? 60 : 0)) * 1000,
  products: ['browser'],
  work: 'light',
  uses: [scrapeFetch, scrapeRender, scrapeStealth],
  requires: ({ mode }) => (mode === 'fast' ? [scrapeFetch] : mode === 'standard' ? [scrapeRender] : [scrapeRender, scrapeStealth]),
  check: ({ url }) => addressViolations(url),
  examples: [
    { title: 'Read an article as Markdown, quickly', params: { url: 'https://example.com/', mode: 'fast' } },
    { title: 'Read a page that is built by scripts', params: { url: 'https://example.com/prices', wait_for: '#prices' } },
    { title: 'Get the cleaned HTML of a page', params: { url: 'https://example.com/docs/start', mode: 'fast', output: 'html' } },
    {
      title: 'Read a page that turns ordinary visitors away',
      params: { url: 'https://example.com/shop/kettle', mode: 'thorough', timeout: 60 },
    },
  ],
})
