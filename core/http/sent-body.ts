import { fingerprint } from '../calls/idempotency/fingerprint.js'
import type { TObject, Validator } from '../sdk/index.js'
import type { agentInput } from './agent-input.js'
import { validated } from './validation.js'

/** Where in a body the input of a capability stands. */
export type CheckPoint = 'body' | 'params'

/** The body of a paid call, read and not yet checked. */
export interface SentBody {
  readonly bytes: number
  /** Of the body as it was sent; null when none was asked for. */
  readonly fingerprint: string | null
  /** The capability that a body of `/v1/agent` names. Throws `validation-failed`. */
  capability(): string
  /** The input, checked and with defaults filled in; once: a promise of it where that takes a turn. Throws, or rejects with, `validation-failed`. */
  input(validator: Validator<TObject>, at: CheckPoint): unknown
  /** To be called when the input is there or not wanted. */
  close(): void
}

interface SmallBodyOptions {
  readonly bytes: number
  /** For an Idempotency-Key. */
  readonly request: { readonly method: string; readonly path: string } | null
  /** Checks the body of `/v1/agent`. */
  readonly agent: Validator<typeof agentInput> | null
}

/** A body that is read and checked at once. The fingerprint is taken before the check, which fills in defaults in place. */
export function smallBody(value: Record<string, unknown>, { bytes, request, agent }: SmallBodyOptions): SentBody {
  const print = request === null ? null : fingerprint(request.method, request.path, value)
  return {
    bytes,
    fingerprint: print,
    capability: () => (agent === null ? '' : validated(agent, value, ['body']).capability),
    input: (validator, at) =>
      at === 'body' ? validated(validator, value, ['body']) : validated(validator, value['params'] ?? {}, ['body', 'params']),
    close: () => undefined,
  }
}
