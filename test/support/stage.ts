import { Fault, type FaultKind, type ProviderContext } from '../../core/sdk/index.js'
import type { Behaviour, Scripted } from './test-plugin.js'

const KINDS: readonly string[] = ['invalid', 'missing', 'blocked', 'busy', 'quota', 'credentials', 'broken'] satisfies FaultKind[]

/**
 * Providers that do what the text of a call says: a kind of fault is thrown, `wait` and `brief` last until released or aborted,
 * `blind` could not check, `bug` fails unexpectedly, `part` sends a part of its result first, `unsure` may have acted, `unavailable` did not reach its
 * target, `huge` answers much, anything else is repeated.
 */
export class Stage {
  /** `vendor:text` of each try, in order. */
  readonly texts: string[] = []
  /** Texts of tries whose signal was aborted. */
  readonly aborted: string[] = []
  /** Thrown by the next try that was let go on after waiting. */
  failNext: Fault | null = null
  readonly #waiting = new Set<() => void>()
  #watchers: (() => void)[] = []

  /** Tries waiting now. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Lets everything that waits go on. */
  release(): void {
    for (const go of [...this.#waiting]) go()
  }

  /** Resolves once a condition over this stage holds; it is checked whenever something happens here. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (holds()) resolve()
        else this.#watchers.push(check)
      }
      check()
    })
  }

  /** A provider of this stage. `fails` are texts this vendor alone is broken for. */
  vendor(vendor: string, about: Partial<Scripted> & { fails?: readonly string[] } = {}): Scripted {
    const { fails = [], ...rest } = about
    const run: Behaviour = async ({ text }, context) => {
      this.#happened(() => this.texts.push(`${vendor}:${text}`))
      if (fails.includes(text)) throw new Fault('broken', 'The provider is out of order.')
      return await this.#play(text, context)
    }
    return { vendor, run, ...rest }
  }

  async #play(text: string, context: ProviderContext): Promise<{ text: string }> {
    const kind = KINDS.find((name) => name === text) as FaultKind | undefined
    if (kind !== undefined)
      throw new Fault(
        kind,
        `The provider said ${kind}.`,
        kind === 'invalid' ? { loc: ['text'] } : kind === 'busy' ? { retryAfterSeconds: 7 } : {},
      )
    if (text === 'blind') throw new Fault('missing', 'Nothing could be checked.', { inconclusive: true })
    if (text === 'unavailable') throw new Fault('blocked', 'The name was not resolved in time.', { unavailable: true })
    if (text === 'unsure') throw new Fault('busy', 'No reply came.', { ambiguous: true })
    if (text === 'bug') throw new TypeError('a canary-internal detail')
    if (text.startsWith('part')) context.partialResult('output', `first of ${text}`)
    if (text === 'huge') return { text: 'x'.repeat(4096) }
    if (text.endsWith('wide')) return { text: 'x'.repeat(24 * 1024 * 1024) }
    if (text.startsWith('step')) context.progress('working', 'half done', 1, 2)
    if (text.includes('wait') || text === 'brief') {
      await this.#wait(text, context.signal)
      const { failNext } = this
      this.failNext = null
      if (failNext !== null) throw failNext
    }
    if (text.startsWith('step')) context.progress('finishing')
    return { text }
  }

  #wait(text: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        signal.removeEventListener('abort', abort)
        this.#happened(() => this.#waiting.delete(go))
        resolve()
      }
      const abort = (): void => {
        this.#happened(() => this.aborted.push(text))
        go()
      }
      signal.addEventListener('abort', abort)
      this.#happened(() => this.#waiting.add(go))
    })
  }

  #happened(what: () => void): void {
    what()
    const watchers = this.#watchers
    this.#watchers = []
    for (const check of watchers) check()
  }
}
