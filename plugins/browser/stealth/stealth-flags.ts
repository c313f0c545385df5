import type { BrowserContextOptions } from 'playwright-core'
import { flags, LOOSENING } from '../flags.js'
import type { LaunchOptions } from '../launch.js'

/** The screen reported to the browser. */
const SCREEN = { width: 1920, height: 1080 }
/** Its window on it, including the browser's frame. */
export const WINDOW = { width: 1920, height: 1040 }

/**
 * Flags of an ordinary browser that a page can detect: without notifications and speech these objects are missing,
 * without scrollbars there is no width.
 */
const TELLING: readonly string[] = ['--disable-notifications', '--disable-speech-api', '--hide-scrollbars']
/** The same among playwright's defaults. */
const TELLING_DEFAULTS: readonly string[] = ['--enable-automation', '--hide-scrollbars']

/**
 * A Chromium that is not headless, on a headless display (Ozone's headless platform): its user agent, client hints,
 * plugins and window are genuine, and no script has to hide anything. What this platform lacks, a screen and a mouse,
 * is set by flags.
 */
export function stealth(heapMb: number): LaunchOptions {
  return {
    headless: false,
    withoutArgs: [...LOOSENING, ...TELLING_DEFAULTS],
    args: [
      ...flags(heapMb).filter((flag) => !TELLING.includes(flag)),
      '--ozone-platform=headless',
      `--ozone-override-screen-size=${SCREEN.width},${SCREEN.height}`,
      `--window-size=${WINDOW.width},${WINDOW.height}`,
      '--window-position=0,0',
      // A mouse: Blink's PointerType and HoverType.
      '--blink-settings=primaryPointerType=4,availablePointerTypes=4,primaryHoverType=2,availableHoverTypes=2',
      '--disable-blink-features=AutomationControlled',
      '--lang=en-US',
      '--accept-lang=en-US,en',
    ],
  }
}

/** The context of one page. The window is not emulated: an emulated one would differ from the screen. */
export function stealthContext(timezone: string): BrowserContextOptions {
  return { viewport: null, ...(timezone === '' ? {} : { timezoneId: timezone }) }
}
