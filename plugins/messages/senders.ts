import type { Message } from './contract.js'

/** The senders that an account may use: `only` these, or all but the `reserved` ones. */
type AccountSenders = Pick<Message, 'only' | 'reserved'>

/** The senders of the account for which `isAccount` is true, by the entries `ACCOUNT=SENDER` of `account_senders`. */
export function accountSenders(entries: readonly string[], isAccount: (id: string) => boolean): AccountSenders {
  const pairs = entries.map((entry) => {
    const [account = '', sender = ''] = entry.split('=', 2)
    return { sender, isOwn: isAccount(account) }
  })
  const own = pairs.filter(({ isOwn }) => isOwn).map(({ sender }) => sender)
  const reserved = pairs.map(({ sender }) => sender).filter((sender) => !own.includes(sender))
  return { only: own.length === 0 ? null : own, reserved }
}

/** Whether an account may use a sender. A number matches with and without its plus: vendors list both forms. */
export function maySendFrom(sender: string, { only, reserved }: AccountSenders): boolean {
  const isIn = (senders: readonly string[]): boolean => senders.some((each) => withoutPlus(each) === withoutPlus(sender))
  return only === null ? !isIn(reserved) : isIn(only)
}

/**
 * The sender of a message among a vendor's settings (`US=+15005550102`, or one without a country for all others) that
 * the account may use: the caller's, else the first of the recipient's country, else the first without a country.
 * Null when there is none.
 */
export function senderOf(senders: readonly string[], message: Pick<Message, 'from' | 'country'> & AccountSenders): string | null {
  const { from, country } = message
  const known = senders
    .map((entry) => {
      const [, own = null, sender = entry] = /^([A-Z]{2})=(.*)$/.exec(entry) ?? []
      return { country: own, sender }
    })
    .filter(({ sender }) => maySendFrom(sender, message))
  const fits =
    from === null
      ? (known.find((each) => each.country === country) ?? known.find((each) => each.country === null))
      : known.find(({ sender }) => sender === from)
  return fits?.sender ?? null
}

/** The sender by `senderOf`, for a provider that supports the message. */
export function senderFor(senders: readonly string[], message: Message): string {
  const sender = senderOf(senders, message)
  if (sender === null) throw new TypeError('a vendor was called for a message that it has no sender for')
  return sender
}

/** Numbers without their plus, as some vendors require; anything else, such as an alphanumeric sender, unchanged. */
export function withoutPlus(number: string): string {
  return number.startsWith('+') ? number.slice(1) : number
}

/** Adds the plus to a vendor's number without one; anything else is unchanged. */
export function withPlus(number: string): string {
  return /^[1-9][0-9]{6,14}$/.test(number) ? `+${number}` : number
}
