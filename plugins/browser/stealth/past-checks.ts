import type { ProviderContext, Static } from '../../../core/sdk/index.js'
import type { browserStealth } from '../contract.js'
import type { Opened } from '../visit.js'
import { pageVerdict } from '../../scrape/contract.js'

/** Checks of protections that pass by themselves take so long at most. */
const CHECK_MS = 12_000
const EVERY_MS = 1_000
const KEEP_MS = 2_000

type Input = Static<typeof browserStealth.input>
type Seen = Static<typeof pageVerdict.output>

/** Gets a page past the checks that stand before it: by waiting, then by having its captcha solved. */
export class PastChecks {
  readonly #input: Input
  readonly #context: ProviderContext
  readonly moreMs = 0

  constructor(input: Input, context: ProviderContext) {
    this.#input = input
    this.#context = context
  }

  /** Ends when the page is past its checks, or will not get past them. */
  readonly pass = async (opened: Opened): Promise<void> => {
    let seen = await this.#judge(opened)
    if (!isCheck(seen)) return
    this.#context.progress('waiting for a check', seen.verdict?.name)
    const end = Date.now() + Math.min(CHECK_MS, opened.left() - KEEP_MS)
    while (isCheck(seen) && Date.now() < end) {
      await this.#context.wait(EVERY_MS)
      seen = await this.#judge(opened)
    }
  }

  async #judge({ look }: Opened): Promise<Seen> {
    const { html, final_url } = await look()
    return await this.#context.call(pageVerdict, { html, asked: this.#input.url, url: final_url })
  }
}

/** Whether waiting, or a solved captcha, may change what the page is. */
function isCheck({ verdict }: Seen): boolean {
  return verdict !== null && (verdict.kind === 'block' || verdict.kind === 'captcha' || verdict.kind === 'empty')
}
