import { Fault, parseUrl, type Services } from '../../../core/sdk/index.js'
import { valueAt, listAt } from '../../_shared/value-at.js'
import { foreignJson } from '../../../core/sdk/json.js'
import { textAt } from '../values/read.js'

const MOST_BYTES = 256 * 1024
const MANIFEST_MS = 3_000
const MOST_ICONS = 20

/** The used part of a web app manifest (W3C Web Application Manifest). */
export interface Manifest {
  readonly name: string | null
  readonly colours: readonly string[]
  /** The largest first; those for masks last. */
  readonly icons: readonly string[]
}

/** Fetches and reads a manifest; null for one that is unavailable, not JSON, or over 256 KiB. */
export async function manifestAt(url: string | null, ctx: Pick<Services, 'web' | 'log' | 'signal'>): Promise<Manifest | null> {
  if (url === null) return null
  try {
    const { status, bytes, url: base } = await ctx.web.get(url, { maxBytes: MOST_BYTES, timeoutMs: MANIFEST_MS, maxRedirects: 3 })
    return status === 200 ? manifestOf(foreignJson(bytes), base) : null
  } catch (error) {
    if (ctx.signal.aborted || !(Fault.is(error) || error instanceof SyntaxError)) throw error
    ctx.log('a manifest could not be read', { reason: Fault.is(error) ? error.kind : 'no JSON' })
    return null
  }
}

/** Reads an untrusted JSON manifest; addresses in it are relative to its own. */
export function manifestOf(json: unknown, base: string): Manifest {
  const icons = listAt(json, 'icons')
    .slice(0, 200)
    .flatMap((icon) => {
      const url = parseUrl(textAt(icon, 'src') ?? '', base)
      if (url === null || !/^https?:$/.test(url.protocol) || textAt(icon, 'src') === null) return []
      const side = /(\d{1,5})x\d/.exec(textAt(icon, 'sizes') ?? '')?.[1]
      return [{ url: url.href, side: Number(side ?? 0), masked: (textAt(icon, 'purpose') ?? 'any').split(' ').includes('any') ? 0 : 1 }]
    })
    .sort((one, other) => one.masked - other.masked || other.side - one.side)
  return {
    name: textAt(json, 'name') ?? textAt(json, 'short_name'),
    colours: [valueAt(json, 'theme_color'), valueAt(json, 'background_color')]
      .filter((colour) => typeof colour === 'string')
      .map((colour) => colour.slice(0, 40)),
    icons: icons.slice(0, MOST_ICONS).map(({ url }) => url),
  }
}
