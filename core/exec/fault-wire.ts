import { FAULT_KINDS, Fault, type FaultOptions } from '../sdk/fault.js'

/** An error as it is sent between threads or processes. */
interface WireError {
  readonly fault: boolean
  readonly kind: string
  readonly message: string
  readonly internal?: string
  readonly retryAfterSeconds?: number
  readonly loc?: readonly (string | number)[]
}

/** Flattens an error so that it survives structured clone and JSON. */
export function toWire(error: unknown): WireError {
  if (Fault.is(error)) {
    const { kind, message, internal, retryAfterSeconds, loc } = error
    return {
      fault: true,
      kind,
      message,
      ...(internal === undefined ? {} : { internal }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(loc === undefined ? {} : { loc }),
    }
  }
  if (error instanceof RangeError && error.message.startsWith('Maximum call stack'))
    return { fault: true, kind: 'blocked', message: 'the content is nested too deeply to be read' }
  return { fault: false, kind: 'broken', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
}

/** The Fault of the untrusted other side; any other error becomes `broken` with the public `sentence`. */
export function fromWire(wire: unknown, sentence: string): Fault {
  const field = (name: string): unknown =>
    typeof wire === 'object' && wire !== null ? Object.getOwnPropertyDescriptor(wire, name)?.value : undefined
  const text = field('message')
  const message = typeof text === 'string' ? text.slice(0, 2000) : 'no message'
  const kind = FAULT_KINDS.find((name) => name === field('kind'))
  if (field('fault') !== true || kind === undefined) return new Fault('broken', sentence, { internal: message })
  const options: FaultOptions = {}
  const [internal, seconds, loc] = [field('internal'), field('retryAfterSeconds'), field('loc')]
  if (typeof internal === 'string') options.internal = internal.slice(0, 2000)
  if (typeof seconds === 'number') options.retryAfterSeconds = seconds
  if (Array.isArray(loc) && loc.length <= 32 && loc.every(isStep)) options.loc = loc
  return new Fault(kind, message, options)
}

function isStep(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
