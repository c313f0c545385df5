import type { Page } from 'playwright-core'
import { Fault } from '../../core/sdk/index.js'
import type { Visit } from './visit.js'

const MAX_HEIGHT = 16_384

/** Takes the picture the input asks for, base64. A whole page is cut at 16,384 pixels. */
export async function picture(page: Page, input: Visit, timeout: number): Promise<string> {
  const type = input.screenshot ?? 'png'
  try {
    const clip = input.full_page ? await wholePage(page, input) : undefined
    const bytes = await page.screenshot({
      type,
      timeout,
      animations: 'disabled',
      caret: 'hide',
      ...(clip === undefined ? {} : { clip, fullPage: true }),
    })
    return bytes.toString('base64')
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') throw new Fault('blocked', 'the picture of the page was not ready in time')
    throw error
  }
}

async function wholePage(page: Page, input: Visit): Promise<{ x: number; y: number; width: number; height: number }> {
  const session = await page.context().newCDPSession(page)
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  return { x: 0, y: 0, width: input.width, height: Math.min(MAX_HEIGHT, Math.max(input.height, Math.ceil(cssContentSize.height))) }
}
