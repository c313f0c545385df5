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
