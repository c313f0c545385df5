import type { Message } from './contract.js'

/**
 * The sender of a message among those of a vendor's settings (`US=+15005550102`, or one without a country for all others): the one that
 * the caller named, else the first of the recipient's country, else the first of all. Null when there is none.
 */
export function senderOf(senders: readonly string[], { from, country }: Pick<Message, 'from' | 'country'>): string | null {
  const known = senders.map((entry) => {
    const [, own = null, sender = entry] = /^([A-Z]{2})=(.*)$/.exec(entry) ?? []
    return { country: own, sender }
  })
  const fits =
    from === null
      ? (known.find((each) => each.country === country) ?? known.find((each) => each.country === null))
      : known.find(({ sender }) => sender === from)
  return fits?.sender ?? null
}

/** The sender as `senderOf` finds it, of a provider that serves the message. */
export function senderFor(senders: readonly string[], message: Message): string {
  const sender = senderOf(senders, message)
  if (sender === null) throw new TypeError('a vendor was asked for a message that it has no sender for')
  return sender
}

/** Numbers without their plus, as some vendors want them; anything else, such as an alphanumeric sender, as it is. */
export function withoutPlus(number: string): string {
  return number.startsWith('+') ? number.slice(1) : number
}

/** A number that a vendor gives without a plus, with it; anything else as it is. */
export function withPlus(number: string): string {
  return /^[1-9][0-9]{6,14}$/.test(number) ? `+${number}` : number
}
