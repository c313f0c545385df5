import { labelOf } from '../dns/suffix.js'

/** What a response header or an alias says of where a site is. */
export interface Platform {
  readonly name: string
  /** It is in front of an origin that it hides. */
  readonly cdn: boolean
  /** Owner of the networks it is in, as `networkOf` writes it, where that is another name. */
  readonly network: string
  /** What it was recognised by. */
  readonly sign: string
}

interface Rule {
  readonly name: string
  readonly cdn?: true
  readonly network?: string
  /** A header that is there, or (`header: value`) begins with a value; in lower case. */
  readonly headers?: readonly string[]
  /** Names that an alias leads to. */
  readonly aliases?: readonly string[]
}

/** Platforms before the networks they are on, and hosts before what delivers in front of them. */
const RULES: readonly Rule[] = [
  { name: 'Vercel', network: 'Amazon Web Services', headers: ['x-vercel-id', 'server: vercel'], aliases: ['vercel-dns.com', 'vercel.app'] },
  {
    name: 'Netlify',
    network: 'Amazon Web Services',
    headers: ['x-nf-request-id', 'server: netlify'],
    aliases: ['netlify.app', 'netlify.com'],
  },
  { name: 'GitHub Pages', network: 'Fastly', headers: ['x-github-request-id', 'server: github.com'], aliases: ['github.io'] },
  { name: 'WP Engine', headers: ['x-powered-by: wp engine'], aliases: ['wpengine.com'] },
  { name: 'Shopify', network: 'Cloudflare', headers: ['x-shopify-stage', 'x-shopid'], aliases: ['myshopify.com'] },
  { name: 'Wix', headers: ['x-wix-request-id'], aliases: ['wixdns.net'] },
  { name: 'Fly.io', headers: ['fly-request-id'], aliases: ['fly.dev'] },
  { name: 'Render', network: 'Cloudflare', headers: ['x-render-origin-server'], aliases: ['onrender.com'] },
  { name: 'Railway', headers: ['x-railway-request-id', 'x-railway-edge'], aliases: ['railway.app'] },
  { name: 'Heroku', network: 'Amazon Web Services', aliases: ['herokudns.com', 'herokuapp.com'] },
  { name: 'Azure App Service', network: 'Microsoft Azure', aliases: ['azurewebsites.net', 'cloudapp.net'] },
  { name: 'AWS Elastic Beanstalk', network: 'Amazon Web Services', aliases: ['elasticbeanstalk.com'] },
  { name: 'Amazon CloudFront', cdn: true, network: 'Amazon Web Services', headers: ['x-amz-cf-id'], aliases: ['cloudfront.net'] },
  { name: 'Amazon S3', network: 'Amazon Web Services', headers: ['x-amz-request-id', 'x-amz-id-2'] },
  { name: 'Amazon Web Services', aliases: ['amazonaws.com'] },
  { name: 'Cloudflare', cdn: true, headers: ['cf-ray', 'server: cloudflare'], aliases: ['cdn.cloudflare.net'] },
  { name: 'Fastly', cdn: true, headers: ['x-fastly-request-id', 'x-served-by: cache-'], aliases: ['fastly.net'] },
  {
    name: 'Akamai',
    cdn: true,
    headers: ['server: akamaighost', 'x-akamai-transformed'],
    aliases: ['edgekey.net', 'edgesuite.net', 'akamaiedge.net'],
  },
]

/** Platforms that headers or aliases name, the more telling ones first. */
export function platformsOf(headers: Readonly<Record<string, string>>, aliases: readonly string[]): readonly Platform[] {
  return RULES.flatMap((rule) => {
    const sign = signOf(rule, headers, aliases)
    return sign === null ? [] : [{ name: rule.name, cdn: rule.cdn ?? false, network: rule.network ?? rule.name, sign }]
  })
}

function signOf(rule: Rule, headers: Readonly<Record<string, string>>, aliases: readonly string[]): string | null {
  for (const header of rule.headers ?? []) {
    const [name = '', start] = header.split(': ')
    const value = headers[name]
    if (value !== undefined && (start === undefined || value.toLowerCase().startsWith(start))) return `header ${name}`
  }
  const alias = aliases.find(
    (name) =>
      labelOf(
        [name],
        (rule.aliases ?? []).map((each) => [each, each] as const),
      ) !== null,
  )
  return alias === undefined ? null : `alias ${alias}`
}
