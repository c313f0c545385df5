import { Parser } from 'htmlparser2'
import { parseUrl } from '../../../core/sdk/url.js'

/** The captcha of a page, in the terms of the solving port. */
export interface CaptchaSeen {
  readonly kind: 'recaptcha_v2' | 'recaptcha_v3' | 'turnstile' | 'other'
  /** Its readable name. */
  readonly name: string
  /** Null when the page has none; it is then not solved. */
  readonly site_key: string | null
  readonly invisible: boolean
  readonly enterprise: boolean
  readonly action: string | null
  readonly data_s: string | null
  readonly data: string | null
}

interface Found {
  /** The first element of each widget class. */
  readonly widgets: ReadonlyMap<string, Readonly<Record<string, string>>>
  readonly sources: readonly URL[]
  readonly script: string
}

const KEY = /^[\w.:-]{1,200}$/
/** Characters of inline scripts that are searched for calls with a key. */
const MOST_SCRIPT = 200_000
const TURNSTILE = 'cf-turnstile'
const RECAPTCHA = 'g-recaptcha'
const OTHER = ['h-captcha', 'frc-captcha']
const MARKS = [TURNSTILE, RECAPTCHA, ...OTHER]
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)hcaptcha\.com$/, 'hCaptcha'],
  [/(?:^|\.)(?:arkoselabs|funcaptcha)\.com$/, 'Arkose Labs'],
  [/(?:^|\.)geetest\.com$/, 'GeeTest'],
  [/(?:^|\.)(?:captcha-delivery)\.com$/, 'DataDome'],
  [/(?:^|\.)friendlycaptcha\.(?:com|eu)$/, 'Friendly Captcha'],
]

/** The captcha of a page, read from its markup after scripts ran; null without one. */
export function captchaOf(html: string): CaptchaSeen | null {
  const found = read(html)
  return turnstileOf(found) ?? recaptchaOf(found) ?? otherOf(found)
}

function turnstileOf({ widgets, sources, script }: Found): CaptchaSeen | null {
  const widget = widgets.get(TURNSTILE)
  const frame = sources.find(({ hostname, pathname }) => hostname === 'challenges.cloudflare.com' && pathname.includes('/turnstile/'))
  if (widget === undefined && frame === undefined) return null
  const call = /turnstile\.render\s*\([^{]{0,200}\{([^}]{0,2000})\}/.exec(script)?.[1] ?? ''
  const key = widget?.['data-sitekey'] ?? option(call, 'sitekey') ?? /\/(0x[\w-]{10,60})\//.exec(frame?.pathname ?? '')?.[1]
  return {
    ...none('turnstile', 'Cloudflare Turnstile', key),
    action: text(widget?.['data-action'] ?? option(call, 'action')),
    data: text(widget?.['data-cdata'] ?? option(call, 'cData')),
  }
}

function recaptchaOf({ widgets, sources, script }: Found): CaptchaSeen | null {
  const widget = widgets.get(RECAPTCHA)
  const own = sources.filter(
    ({ hostname, pathname }) =>
      /(?:^|\.)(?:google\.com|recaptcha\.net)$/.test(hostname) && /^\/recaptcha\/(?:api|enterprise)/.test(pathname),
  )
  if (widget === undefined && own.length === 0) return null
  const enterprise = own.some(({ pathname }) => pathname.startsWith('/recaptcha/enterprise'))
  const frame = own.find(({ searchParams }) => searchParams.has('k'))
  const render = own.map(({ searchParams }) => searchParams.get('render')).find((key) => key !== null && !/^(?:explicit|onload)$/.test(key))
  const action = /grecaptcha(?:\.enterprise)?\.execute\s*\([^{]{0,200}\{[^}]{0,200}\baction["']?\s*:\s*["']([\w/]{1,100})["']/.exec(
    script,
  )?.[1]
  const name = `Google reCAPTCHA${enterprise ? ' Enterprise' : ''}`
  if (widget === undefined && render !== undefined) return { ...none('recaptcha_v3', name, render), enterprise, action: text(action) }
  return {
    ...none('recaptcha_v2', name, widget?.['data-sitekey'] ?? frame?.searchParams.get('k') ?? render),
    enterprise,
    invisible: (widget?.['data-size'] ?? frame?.searchParams.get('size')) === 'invisible',
    action: text(widget?.['data-action']),
    data_s: text(widget?.['data-s']),
  }
}

function otherOf({ widgets, sources }: Found): CaptchaSeen | null {
  const named = OTHERS.find(([host]) => sources.some(({ hostname }) => host.test(hostname)))?.[1]
  return named === undefined && !OTHER.some((name) => widgets.has(name)) ? null : none('other', named ?? 'another captcha', null)
}

function none(kind: CaptchaSeen['kind'], name: string, key: string | null | undefined): CaptchaSeen {
  const site_key = key !== null && key !== undefined && KEY.test(key) ? key : null
  return { kind, name, site_key, invisible: false, enterprise: false, action: null, data_s: null, data: null }
}

function option(call: string, name: string): string | undefined {
  return new RegExp(`\\b${name}["']?\\s*:\\s*["']([^"']{1,500})["']`).exec(call)?.[1]
}

function text(value: string | null | undefined): string | null {
  return value === undefined || value === null || value === '' || value.length > 2000 ? null : value
}

/** One pass over the markup: the first element of the widget's class, the sources of frames and scripts, and inline scripts. */
function read(html: string): Found {
  const widgets = new Map<string, Record<string, string>>()
  const sources: URL[] = []
  const scripts: string[] = []
  let size = 0
  let inScript = false
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        inScript = name === 'script'
        const classes = (attributes['class'] ?? '').slice(0, 500).split(/\s+/)
        for (const mark of MARKS) if (classes.includes(mark) && !widgets.has(mark)) widgets.set(mark, attributes)
        const source =
          (name === 'script' || name === 'iframe') && sources.length < 200
            ? parseUrl(attributes['src'] ?? '', 'https://page.invalid/')
            : null
        if (source !== null) sources.push(source)
      },
      ontext: (part) => {
        if (!inScript || size > MOST_SCRIPT) return
        size += part.length
        scripts.push(part)
      },
      onclosetag: () => (inScript = false),
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  parser.write(html)
  parser.end()
  return { widgets, sources, script: scripts.join('').slice(0, MOST_SCRIPT) }
}
