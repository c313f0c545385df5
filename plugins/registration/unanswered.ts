import { Fault } from '../../core/sdk/index.js'

/**
 * The Fault for a registry that did not answer. It is held against neither RDAP nor WHOIS, which reach hundreds of registries, and it never says
 * that a name is free.
 */
export function unanswered(message: string, { retryAfterSeconds, cause }: { retryAfterSeconds?: number; cause?: unknown } = {}): Fault {
  return new Fault('busy', message, {
    unavailable: true,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(cause === undefined ? {} : { cause }),
  })
}

/**
 * The Fault for a name about which nobody can be asked here: its registry has no server of the kind, or none that may be connected to. It says nothing of
 * the name, and to ask again is of no use.
 */
export function unlisted(message: string): Fault {
  return new Fault('missing', message, { inconclusive: true })
}
