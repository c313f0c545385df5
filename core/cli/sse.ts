/** One event of a stream (html.spec.whatwg.org, server-sent events). */
export interface SseEvent {
  readonly event: string
  readonly data: string
}

/** Cuts a stream of text into events; comments, which are heartbeats, are passed over. */
export class SseParser {
  #rest = ''
  #event = ''
  #data: string[] = []

  /** The events that are complete with this piece of text. */
  push(piece: string): SseEvent[] {
    const lines = `${this.#rest}${piece}`.split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#line(line))
  }

  #line(line: string): SseEvent[] {
    if (line === '') {
      const done = this.#data.length === 0 ? [] : [{ event: this.#event === '' ? 'message' : this.#event, data: this.#data.join('\n') }]
      this.#event = ''
      this.#data = []
      return done
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'event') this.#event = value
    if (field === 'data') this.#data.push(value)
    return []
  }
}
