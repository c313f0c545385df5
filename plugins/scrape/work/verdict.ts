import { verdictOf, type Verdict } from './block-page.js'
import { captchaOf, type CaptchaSeen } from './captcha.js'
import { OverLimit } from './limits.js'
import { scan } from './scan.js'

export interface VerdictInput {
  readonly html: string
  readonly asked: string
  readonly url: string
}
export type VerdictOutput = { readonly verdict: Verdict | null; readonly captcha: CaptchaSeen | null } | { readonly limit: string }

/** Decides what a page is instead of its content, and which captcha it shows. Runs in a worker thread. */
export default function verdict({ html, asked, url }: VerdictInput): VerdictOutput {
  try {
    const { head, text, mainText, hasPassword } = scan(html, { url })
    const found = verdictOf({ html, title: head.title, heading: head.firstHeading, text, mainText, hasPassword, asked, url })
    return { verdict: found, captcha: captchaOf(html) }
  } catch (error) {
    if (error instanceof OverLimit) return { limit: error.message }
    throw error
  }
}
