import { Fault, type FaultOptions } from '../../core/sdk/index.js'

/** The fields of a message that a vendor may refuse, by the names that callers use. */
export type MessageField = 'to' | 'from_number' | 'message'

/**
 * The Fault of a vendor that did not take a message because of one of its fields. The next vendor is called, since what one may not send
 * to or from another may, unless `final`: the recipient wants no messages, or the number takes none.
 */
export function refusedMessage(field: MessageField, message: string, options: Pick<FaultOptions, 'final' | 'internal'> = {}): Fault {
  return new Fault('invalid', message, { loc: [field], ...options })
}
