import { Fault, parseUrl, type HandlerContext } from '../../../core/sdk/index.js'

const CHECK_MS = 2_000
/** Addresses of each kind that are checked, in parallel. */
const MOST = 3
const MOST_BYTES = 2_000_000
/** The response of a host that serves its pictures only to browsers. */
const BROWSERS_ONLY = 'automated_traffic'

/** The first address that answers with a picture; null when none does. Those in `answered` were checked already. */
export async function firstPicture(urls: readonly string[], answered: readonly string[], ctx: HandlerContext): Promise<string | null> {
  const candidates = urls.slice(0, MOST)
  const [first] = candidates
  if (first === undefined || answered.includes(first)) return first ?? null
  const results = await Promise.all(candidates.map(async (url) => answered.includes(url) || (await answers(url, ctx))))
  return candidates.find((_url, place) => results[place]) ?? null
}

async function answers(url: string, ctx: HandlerContext): Promise<boolean> {
  if (!/^https?:$/.test(parseUrl(url)?.protocol ?? '')) return false
  const found = await ctx.aside(
    async (side) => {
      const head = await isPicture(url, 'HEAD', side)
      return head ?? (await isPicture(url, 'GET', side)) ?? false
    },
    { withinMs: CHECK_MS },
  )
  return found ?? false
}

/** Whether a request returns a picture; null when the method is not supported. */
async function isPicture(url: string, method: 'HEAD' | 'GET', ctx: HandlerContext): Promise<boolean | null> {
  try {
    const { status, contentType, url: final } = await ctx.web.get(url, { method, maxBytes: MOST_BYTES, maxRedirects: 4 })
    if (final.includes(BROWSERS_ONLY)) return true
    if (method === 'HEAD' && [400, 403, 405, 501].includes(status)) return null
    return status === 200 && (contentType.startsWith('image/') || contentType === 'application/octet-stream' || contentType === '')
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    return false
  }
}
