import type { Services } from '../../../../core/sdk/index.js'
import type { Technology } from '../../shapes/page.js'

/** A fetched page, for its technologies. */
interface PageSource {
  /** Address after redirects. */
  readonly url: string
  /** Names in lower case, repeated ones joined by commas; empty when unknown. */
  readonly headers: Readonly<Record<string, string>>
  /** The markup; its first 256 KiB are read. */
  readonly html: Uint8Array | string
  /** The host's aliases. */
  readonly aliases?: readonly string[]
}

const READER = new URL('../../work/technologies.js', import.meta.url)
const WORK_MS = 5_000
/** Bytes of markup that are read. */
const MOST_BYTES = 256 * 1024

/**
 * The products recognised on a page, in order of confidence. Runs in a worker thread, in time proportional to the
 * page. Throws a `blocked` Fault for a page that takes too long.
 */
export async function technologiesOf({ html, ...page }: PageSource, ctx: Pick<Services, 'work'>): Promise<Technology[]> {
  const bytes = typeof html === 'string' ? new TextEncoder().encode(html) : html
  return await ctx.work<Technology[]>(
    READER,
    { ...page, aliases: page.aliases ?? [], html: bytes.subarray(0, MOST_BYTES) },
    { timeoutMs: WORK_MS },
  )
}
