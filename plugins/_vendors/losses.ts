import { Fault, type Services } from '../../core/sdk/index.js'

/** What a program says on its error output when it goes on without a part of a file, and ends with code 0. */
export interface Loss {
  /** Words of one of its lines. */
  readonly sign: RegExp
  /** A sentence for the caller. */
  readonly says: string
  /** Where the result is of no use, such as pages without their letters: there is none, and this is why. */
  readonly refused?: true
}

/**
 * Reads the error output of a run that succeeded: each kind of loss becomes a note. Throws Fault `missing` for one that makes the result useless; no
 * other program is asked then, since it would name another reason.
 */
export function noteLosses(services: Pick<Services, 'note'>, stderr: Uint8Array, losses: readonly Loss[]): void {
  const said = Buffer.from(stderr).toString('utf8')
  const met = losses.filter(({ sign }) => sign.test(said))
  const useless = met.find(({ refused }) => refused)
  if (useless !== undefined) throw new Fault('missing', useless.says, { final: true, internal: said.slice(0, 500) })
  for (const { says } of met) services.note(says)
}
