import { Fault, type ProviderContext, type Static } from '../../../core/sdk/index.js'
import { captchaSolve } from '../../captcha/contract.js'
import { pageVerdict } from '../../scrape/contract.js'
import { evaluateApart } from '../apart.js'
import type { browserStealth } from '../contract.js'
import type { Settled } from '../visit.js'
import { putToken } from './put-token.js'

/** Longest wait for a check that passes without interaction. */
const CHECK_MS = 12_000
/** Longest wait for a page to continue after it received a token. */
const ACCEPT_MS = 15_000
const EVERY_MS = 500
/** Time kept for reading the page. */
const KEEP_MS = 2_000
/** With less time left no captcha is submitted, since most take longer to solve. */
const LEAST_SOLVE_MS = 8_000
const MOST_SOLVE_MS = 150_000

type Input = Static<typeof browserStealth.input>
type Seen = Static<typeof pageVerdict.output> & { readonly html: string }
type Captcha = NonNullable<Seen['captcha']>

/** Gets a page past its bot checks: by waiting, then by solving its captcha, once per page. */
export class PastChecks {
  readonly #input: Input
  readonly #context: ProviderContext
  #submitted = false

  constructor(input: Input, context: ProviderContext) {
    this.#input = input
    this.#context = context
  }

  /** Ends when the page has passed its checks, or will not pass them; true when it may have navigated. */
  readonly pass = async (opened: Settled): Promise<boolean> => {
    let seen = await this.#judge(opened)
    if (!isCheck(seen)) return false
    this.#context.progress('waiting for a check', seen.verdict?.name)
    if (!wantsPerson(seen)) seen = await this.#until(opened, seen, CHECK_MS)
    const captcha = solvable(seen)
    if (captcha === null || this.#submitted || !this.#context.has(captchaSolve)) return true
    this.#submitted = true
    if (await this.#solve(opened, captcha)) await this.#until(opened, seen, ACCEPT_MS)
    return true
  }

  /** Polls until the page has passed its checks, or the time is over. */
  async #until(opened: Settled, before: Seen, ms: number): Promise<Seen> {
    let seen = before
    const end = Date.now() + Math.min(ms, opened.left() - KEEP_MS)
    while (isCheck(seen) && Date.now() < end) {
      await this.#context.wait(EVERY_MS)
      seen = await this.#judge(opened, seen)
    }
    return seen
  }

  /** The current verdict of the page. While it navigates it cannot be read: then the result is `instead`, if given. */
  async #judge({ look }: Settled, instead?: Seen): Promise<Seen> {
    try {
      const { html, final_url } = await look()
      // The same markup gets the same verdict.
      if (instead?.html === html) return instead
      const seen = await this.#context.call(pageVerdict, { html, asked: this.#input.url, url: final_url })
      return { ...seen, html }
    } catch (error) {
      if (Fault.is(error) || instead === undefined) throw error
      this.#context.log('the page navigated while it was read', { error: String(error).slice(0, 300) })
      return instead
    }
  }

  /** True when the page received a token. An unsolved captcha leaves the page as it is. */
  async #solve(
    { page, extend, releaseWhile }: Settled,
    captcha: Captcha & { kind: Exclude<Captcha['kind'], 'other'>; site_key: string },
  ): Promise<boolean> {
    const most = Math.min(MOST_SOLVE_MS, this.#context.timeLeft() - ACCEPT_MS)
    if (most < LEAST_SOLVE_MS) return false
    this.#context.progress('solving a captcha', captcha.name)
    const started = Date.now()
    extend(most + ACCEPT_MS)
    try {
      const { kind, site_key, invisible, enterprise, action, data_s, data } = captcha
      const agent = await evaluateApart(page, 'navigator.userAgent')
      const user_agent = typeof agent === 'string' ? agent.slice(0, 500) : null
      const asked = { kind, site_key, page_url: page.url(), invisible, enterprise, action, data_s, data, user_agent }
      const { token } = await releaseWhile(() => this.#context.call(captchaSolve, asked))
      return await putToken(page, kind, token)
    } catch (error) {
      const reason = Fault.is(error) ? error.message : String(error).slice(0, 300)
      this.#context.log('the captcha of a page was not solved', { captcha: captcha.name, reason })
      return false
    } finally {
      extend(Date.now() - started - most)
    }
  }
}

/** True for a page that may be passed by waiting or a solved captcha. A refusal without scripts is final. */
function isCheck({ verdict, html }: Seen): boolean {
  return verdict?.kind === 'captcha' || ((verdict?.kind === 'block' || verdict?.kind === 'empty') && html.includes('<script'))
}

/** True for captchas that require interaction: waiting does not help. */
function wantsPerson({ verdict, captcha }: Seen): boolean {
  return verdict?.kind === 'captcha' && (captcha?.kind === 'other' || (captcha?.kind === 'recaptcha_v2' && !captcha.invisible))
}

/** The captcha that a token would pass. A protection's full-page challenge requires more than a token. */
function solvable({ verdict, captcha }: Seen): (Captcha & { kind: Exclude<Captcha['kind'], 'other'>; site_key: string }) | null {
  if (verdict?.kind !== 'captcha' || captcha === null) return null
  const { kind, site_key } = captcha
  return kind === 'other' || site_key === null ? null : { ...captcha, kind, site_key }
}
