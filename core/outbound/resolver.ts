import type { Clock } from '../runtime/clock.js'
import { Fault, type Obstacle } from '../sdk/index.js'
import { NameQuestion } from './name-question.js'
import { NameQueue, NotAsked, type Asked, type Asker } from './name-queue.js'
import { type NameServers, SYSTEM_NAMES, type SystemNames, isUnknown } from './name-servers.js'
import { codeOf, lacksNames } from '../problems/own-lack.js'
import { SystemLookups } from './system-lookups.js'

const NEGATIVE_MS = 5_000
const NEGATIVE_NAMES = 1_000
/** Each question in flight holds a socket. */
const STRANGERS = { inAll: 256, byCaller: 32, byDomain: 2, waiting: 128 } as const
const OWN = { inAll: 64, byCaller: 64, byDomain: 64, waiting: 256 } as const
/** Codes of c-ares that say what kept the name servers from answering. */
const OBSTACLE_OF: ReadonlyMap<unknown, Obstacle> = new Map([
  ['ETIMEOUT', 'silent'],
  ['ESERVFAIL', 'server-failure'],
])
const OPERATOR: Asker = { caller: '', onLeave: () => () => undefined }

/** Who asks for a name, and whether the name is the operator's own or a plugin's, not a caller's. */
interface NameAsker extends Partial<Asker> {
  readonly own: boolean
}

/** Names to addresses, through the configured name server or the system's; at most 2 s. Failures of a name are remembered for 5 s. */
export class Resolver {
  readonly #clock: Clock
  readonly #servers: NameServers
  readonly #system: SystemLookups
  readonly #strangers: NameQueue
  readonly #own: NameQueue
  readonly #failed = new Map<string, { readonly until: number; readonly fault: Fault }>()

  constructor(servers: NameServers, clock: Clock, { lookup }: SystemNames = SYSTEM_NAMES) {
    this.#clock = clock
    this.#servers = servers
    this.#system = new SystemLookups(lookup)
    this.#strangers = new NameQueue(STRANGERS, clock, (name) => this.#question(name))
    this.#own = new NameQueue(OWN, clock, (name) => (servers.ofSystem ? this.#ownQuestion(name) : this.#question(name)))
  }

  /**
   * All addresses of a name, at least one; a name that ends in a dot is absolute. Rejects with a Fault: `missing` for unknown names; `blocked` and
   * `unavailable` when there was no answer in time; one caused by the error of a system call for what this machine lacks.
   */
  async resolve(name: string, { own, ...asker }: NameAsker = { own: true }): Promise<readonly string[]> {
    if (/(^|\.)localhost\.?$/.test(name)) return ['127.0.0.1', '::1']
    const key = own ? `own ${name}` : name
    const failed = this.#failed.get(key)
    if (failed !== undefined && failed.until > this.#clock.monotonic()) throw failed.fault
    this.#failed.delete(key)
    const known = this.#servers.inHosts(name)
    if (known.length > 0) return known
    try {
      const { caller, onLeave } = { ...OPERATOR, ...asker }
      return await this.#servers.health.asking((onAway) => {
        const leaving = (listener: () => void): (() => void) => {
          onAway(listener)
          return onLeave(listener)
        }
        return (own ? this.#own : this.#strangers).ask(name, { caller, onLeave: leaving })
      })
    } catch (error) {
      const fault = nameFault(error, { name: own ? null : name })
      if (!(error instanceof NotAsked) && !lacksNames(fault)) this.#remember(key, fault)
      throw fault
    }
  }

  /** Questions of callers in flight. */
  get size(): number {
    return this.#strangers.size
  }

  #question(name: string): Asked {
    const question = new NameQuestion(this.#servers, this.#clock)
    return { answer: question.ask(name), cancel: () => question.cancel() }
  }

  #ownQuestion(name: string): Asked {
    const { answer, cancel } = this.#question(name)
    let wanted = true
    return {
      answer: this.#orSystem(name, answer, () => wanted),
      cancel: () => {
        wanted = false
        cancel()
      },
    }
  }

  /** A name of the operator's own may be known to the system alone (mDNS, LDAP). */
  async #orSystem(name: string, answer: Promise<readonly string[]>, wanted: () => boolean): Promise<readonly string[]> {
    try {
      return await answer
    } catch (error) {
      if (!isUnknown(error) && codeOf(error) !== 'ECONNREFUSED') throw error
      try {
        return await this.#system.ask(name, wanted)
      } catch (other) {
        throw isUnknown(other) ? error : other
      }
    }
  }

  #remember(key: string, fault: Fault): void {
    if (this.#failed.size >= NEGATIVE_NAMES) this.#failed.clear()
    this.#failed.set(key, { until: this.#clock.monotonic() + NEGATIVE_MS, fault })
  }
}

/**
 * What a question that failed says of the name: `missing` when it is unknown, else `blocked` and `unavailable`, with `unanswered` as its
 * sentence. `name` is given where the caller may see it: hosts of the operator are named in the log alone. The error stays its cause.
 */
export function nameFault(
  error: unknown,
  { name, unanswered = 'the host name could not be resolved' }: { readonly name: string | null; readonly unanswered?: string },
): Fault {
  const code = codeOf(error)
  const obstacle = OBSTACLE_OF.get(code)
  const options = {
    internal: `dns: ${(error instanceof NotAsked ? '' : code) || (error instanceof Error ? error.message : 'failed')}`,
    cause: error,
    ...(obstacle === undefined ? {} : { obstacle }),
  }
  return isUnknown(error)
    ? name === null
      ? new Fault('missing', 'the host name is unknown', options)
      : new Fault('missing', `the host name ${name} is unknown`, { ...options, remedy: 'Check the spelling of the host name.' })
    : new Fault('blocked', unanswered, { ...options, unavailable: true })
}
