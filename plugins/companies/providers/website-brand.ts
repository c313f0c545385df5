import { Fault, provider, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { website as vendor } from '../../_vendors/website.js'
import { pictureLook } from '../../picture/contract.js'
import { companiesBrand } from '../contract.js'
import { emptyRecord } from '../record.js'
import { siteOf } from '../site/site.js'
import { brandColours, hexOf, isNeutral } from '../values/colour.js'

/** Maximum size of a picture. */
const MOST_BYTES = 2_000_000
/** Candidates of each kind that are requested. */
const MOST_ASKED = 3
const COLOURS = 5
/** Time reserved for the answer without the colours of the logo. */
const SPARE_MS = 1_000
/** A colour with a smaller share of the logo is a detail. */
const LEAST_SHARE = 0.04

interface Picture {
  readonly url: string
  readonly file: ScratchFile
}

/**
 * Icons, colours and profiles of the home page; the colours of its logo when the page names fewer than two.
 * Unavailable pictures are left out.
 */
export const websiteBrand = provider(companiesBrand, {
  vendor,
  rank: 30,
  timeoutMs: 20_000,
  run: async (question, ctx) => {
    const site = await siteOf(question, ctx)
    if (site.parked !== null) return null
    const wanted = [...new Set([...site.logos.slice(0, MOST_ASKED), ...site.icons.slice(0, MOST_ASKED)])]
    const found = (await Promise.all(wanted.map((url) => pictureAt(url, ctx)))).filter((each) => each !== null)
    const answered = found.map(({ url }) => url)
    const logos = site.logos.filter((url) => answered.includes(url))
    const [logo] = found.filter(({ url }) => url === logos[0])
    const named = site.colours.flatMap((colour) => hexOf(colour) ?? [])
    const isEnough = logo === undefined || brandColours(named).every((colour) => colour !== null && !isNeutral(colour))
    return {
      ...emptyRecord(),
      social_links: site.social_links,
      colours: isEnough ? named : [...named, ...(await inTime(coloursOf(logo, ctx), ctx))],
      logos,
      icons: site.icons.filter((url) => answered.includes(url)),
      answered,
    }
  },
})

/**
 * A picture identified by its bytes, regardless of the server's type; null when it is not a picture or not available.
 */
async function pictureAt(url: string, ctx: ProviderContext): Promise<Picture | null> {
  try {
    const file = await ctx.scratch.fetch(url, { maxBytes: MOST_BYTES })
    const kind = await ctx.scratch.kind(file, new URL(url).pathname.split('/').at(-1) ?? '')
    return kind?.contentType.startsWith('image/') === true ? { url, file } : null
  } catch (error) {
    return unless(error, ctx, 'a picture of a website could not be had')
  }
}

/** The dominant colours of a picture without white ones; empty when it cannot be opened, or no provider analyses pictures. */
async function coloursOf({ file }: Picture, ctx: ProviderContext): Promise<string[]> {
  if (!ctx.has(pictureLook)) return []
  try {
    const { colours } = await ctx.call(pictureLook, { file, colours: COLOURS, ignore_white: true })
    return colours.filter(({ share }) => share >= LEAST_SHARE).map(({ hex }) => hex)
  } catch (error) {
    return unless(error, ctx, 'the colours of a logo could not be determined') ?? []
  }
}

/** The colours, unless they take the whole time of the try, so that the rest of the answer is not lost. */
async function inTime(colours: Promise<string[]>, ctx: ProviderContext): Promise<string[]> {
  const late = ctx.wait(Math.max(0, ctx.timeLeft() - SPARE_MS)).then((): null => null)
  const found = await Promise.race([colours, late])
  // The promise that is not awaited ends with the try.
  for (const other of [colours, late])
    other.catch((error: unknown) => ctx.log('the colours of a logo were given up', { error: String(error) }))
  if (found === null) ctx.note('website: the colours of the logo timed out and are left out.')
  return found ?? []
}

function unless(error: unknown, ctx: ProviderContext, what: string): null {
  if (!Fault.is(error) || ctx.signal.aborted) throw error
  ctx.log(what, { kind: error.kind })
  return null
}
