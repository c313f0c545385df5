import { Fault, type FaultOptions } from '../../core/sdk/index.js'

/** The fields of a message that a vendor may refuse, under the names callers use. */
export type MessageField = 'to' | 'from_number' | 'message'

/**
 * The Fault of a vendor that refused a message because of one of its fields. The next vendor is tried, since it may
 * accept the same sender or recipient, unless `final`: the recipient opted out, or the number cannot receive
 * messages.
 */
export function refusedMessage(field: MessageField, message: string, options: Pick<FaultOptions, 'final' | 'internal'> = {}): Fault {
  return new Fault('invalid', message, { loc: [field], ...options })
}
