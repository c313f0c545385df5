import { Fault, type Services } from '../../core/sdk/index.js'

/** A message on a program's standard error when it skips part of a file and still exits with code 0. */
export interface Loss {
  /** Matches one of its lines. */
  readonly sign: RegExp
  /** A sentence for the caller. */
  readonly message: string
  /** The result is useless, such as pages without their letters: it is withheld, and this is the reason. */
  readonly refused?: true
}

/**
 * Reads the standard error of a successful run: each kind of loss becomes a note. Throws Fault `missing` for a loss
 * that makes the result useless; no other program is tried then, since it would report another reason.
 */
export function noteLosses(services: Pick<Services, 'note'>, stderr: Uint8Array, losses: readonly Loss[]): void {
  const output = Buffer.from(stderr).toString('utf8')
  const met = losses.filter(({ sign }) => sign.test(output))
  const useless = met.find(({ refused }) => refused)
  if (useless !== undefined) throw new Fault('missing', useless.message, { final: true, internal: output.slice(0, 500) })
  for (const { message } of met) services.note(message)
}
