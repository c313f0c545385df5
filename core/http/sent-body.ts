import { fingerprint } from '../calls/idempotency/fingerprint.js'
import { Type, type TObject, type Validator } from '../sdk/index.js'
import { validated } from './validation.js'

/** The body of the endpoint that serves every capability by name. */
export const agentInput = Type.Object(
  {
    capability: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Id of the capability, for example the last part of its path; its path and aliases are accepted too.',
    }),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { default: {}, description: 'Parameters of the capability.' })),
  },
  { additionalProperties: false },
)

/** The location of a capability's input in a body. */
export type CheckPoint = 'body' | 'params'

/** The body of a paid call, parsed and not yet checked. */
export interface SentBody {
  readonly bytes: number
  /** Of the body as sent; null when not requested. */
  readonly fingerprint: string | null
  /** The capability that a body of `/v1/agent` names. Throws `validation-failed`. */
  capability(): string
  /** The checked input with defaults; call once. A promise for a large body. Fails with `validation-failed`. */
  input(validator: Validator<TObject>, at: CheckPoint): unknown
  /** Call when the input was read or is not needed. */
  close(): void
}

interface SmallBodyOptions {
  readonly bytes: number
  /** For an Idempotency-Key. */
  readonly request: { readonly method: string; readonly path: string } | null
  /** Checks the body of `/v1/agent`. */
  readonly agent: Validator<typeof agentInput> | null
}

/** A body checked on the main thread. The fingerprint is computed before the check, which adds defaults in place. */
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
