/** One server-sent event. @internal */
export interface ServerEvent {
  readonly event: string
  readonly data: string
}

/**
 * Reads server-sent events (WHATWG HTML 9.2) from pieces of text, wherever these are cut. Fields other than `event` and `data` are ignored, as are
 * comments. Each character is read once, however large a line becomes.
 * @internal
 */
export class EventParser {
  #line = ''
  #endsInReturn = false
  #event = ''
  #data: string[] = []

  /** The events that this piece completes. */
  push(piece: string): ServerEvent[] {
    const events: ServerEvent[] = []
    // The line feed of a line end that was cut in two.
    const text = this.#endsInReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    if (piece !== '') this.#endsInReturn = piece.endsWith('\r')
    const [rest = '', ...lines] = text.split(/\r\n?|\n/)
    this.#line += rest
    for (const next of lines) {
      if (this.#line === '') this.#finish(events)
      else this.#field(this.#line)
      this.#line = next
    }
    return events
  }

  #field(line: string): void {
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'event') this.#event = value
    if (name === 'data') this.#data.push(value)
  }

  #finish(events: ServerEvent[]): void {
    if (this.#data.length > 0) events.push({ event: this.#event === '' ? 'message' : this.#event, data: this.#data.join('\n') })
    this.#event = ''
    this.#data = []
  }
}
