import type { Page } from 'playwright-core'
import { Fault, type ScratchFile, type Services } from '../../core/sdk/index.js'
import { withoutFragment } from '../_shared/address.js'

/** A file of the gateway that is opened in place of its link. */
export interface OwnFile {
  /** Media type in lower case. */
  readonly contentType: string
  /** Empty for types a browser would not display. */
  readonly bytes: Buffer
}

/** The largest file opened as a page, in bytes: it is sent to the browser in one message. */
const MOST_BYTES = 32 * 1024 * 1024
/** Types a browser displays; anything else is a download. */
const SHOWN = /^(?:text\/[\w.+-]+|image\/[\w.+-]+|application\/(?:xhtml\+xml|xml|json))$/
/** The page's scripts run in an opaque origin, not the gateway's. */
const POLICY = 'sandbox allow-scripts'

/** The file of a link to this gateway, null for any other address. Throws `invalid` for a link or a file that cannot be opened. */
export async function ownFile(url: string, { scratch }: Pick<Services, 'scratch'>): Promise<OwnFile | null> {
  const stored = await scratch.stored(url)
  if (stored === null) return null
  const { file, contentType } = stored
  try {
    if (!isShown(contentType)) return { contentType, bytes: Buffer.alloc(0) }
    if (file.size > MOST_BYTES)
      throw new Fault('invalid', `The file behind the link is larger than ${MOST_BYTES} bytes, the most that a browser is given.`, {
        loc: ['url'],
      })
    return { contentType, bytes: Buffer.from(await scratch.bytes(file, MOST_BYTES)) }
  } finally {
    await scratch.remove(file)
  }
}

/** A file of the call that is opened as a page. Throws `invalid` for one that is too large. */
export async function pageOf(html: ScratchFile, { scratch }: Pick<Services, 'scratch'>): Promise<OwnFile> {
  return { contentType: 'text/html', bytes: Buffer.from(await scratch.bytes(html, MOST_BYTES)) }
}

/** True for a type that a browser displays. */
export function isShown(contentType: string): boolean {
  return SHOWN.test(contentType)
}

/**
 * Answers the page's top-level navigation to the link with this file. All its other requests, including the link in a
 * frame or a script, go through the guard like any address.
 */
export async function serveOwnFile(page: Page, url: string, { contentType, bytes }: OwnFile): Promise<void> {
  const wanted = withoutFragment(new URL(url).href)
  await page.route(
    (target) => withoutFragment(target.href) === wanted,
    async (route, request) => {
      if (!request.isNavigationRequest() || request.frame() !== page.mainFrame() || request.redirectedFrom() !== null)
        return await route.fallback()
      const headers = { 'content-type': contentType, 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' }
      await route.fulfill({ status: 200, headers, body: bytes })
    },
  )
}
