import { labelOf } from '../dns/suffix.js'

/** A hosting platform recognised by a response header or an alias. */
export interface Platform {
  readonly name: string
  /** It is in front of an origin that it hides. */
  readonly cdn: boolean
  /** Owner of its networks, in the notation of `networkOf`, if the name differs. */
  readonly network: string
  /** The matched sign. */
  readonly sign: string
}

interface Rule {
  readonly name: string
  readonly cdn?: true
  readonly network?: string
  /** A present header, or (`header: value`) one with a value prefix; in lower case. */
  readonly headers?: readonly string[]
  /** Names of alias targets. */
  readonly aliases?: readonly string[]
}

/** Platforms before their networks, and hosts before CDNs in front of them. */
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

/** Platforms recognised by headers or aliases, the most specific first. */
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
