import { Fault } from '../../core/sdk/index.js'

/**
 * The Fault for a registry that did not answer. It counts against neither RDAP nor WHOIS, which reach hundreds of
 * registries, and never means that a name is available.
 */
export function unanswered(message: string, { retryAfterSeconds, cause }: { retryAfterSeconds?: number; cause?: unknown } = {}): Fault {
  return new Fault('busy', message, {
    unavailable: true,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(cause === undefined ? {} : { cause }),
  })
}

/**
 * The Fault for a name without a usable server: its registry has none of this kind, or none that may be connected to.
 * It proves nothing about the name, and a retry is pointless.
 */
export function unlisted(message: string): Fault {
  return new Fault('missing', message, { inconclusive: true })
}
