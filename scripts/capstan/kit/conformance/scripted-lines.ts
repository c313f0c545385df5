import { answerOf, Fault, type Certificate, type LineSocket } from '../../../../core/sdk/index.js'
import { ScriptError } from './script.js'

const TLS = '= tls'

/** The recorded lines of one connection. */
interface Dialogue {
  readonly host: string
  readonly port: number
  /** `< line` from the server, `> line` to the server, `= tls` STARTTLS; after the last the server closes the connection. */
  readonly lines: readonly string[]
  /** The certificate of `= tls`. */
  readonly answer: unknown
  /** Runs a part of the script. */
  readonly step: <T>(work: () => T) => Promise<T>
}

/** A recorded line connection: both sides must follow the fixture in order. */
export class ScriptedLines implements LineSocket {
  readonly host: string
  readonly port: number
  readonly resumed = null
  readonly #dialogue: Dialogue
  readonly #left: string[]
  #closed = false

  constructor(dialogue: Dialogue) {
    this.host = dialogue.host
    this.port = dialogue.port
    this.#dialogue = dialogue
    this.#left = [...dialogue.lines]
  }

  readLine(): Promise<string | null> {
    return this.#step(() => (this.#left.length === 0 ? null : this.#nextLine('reads a line')))
  }

  readAll(): Promise<string> {
    return this.#step(() => {
      let all = ''
      while (this.#left.length > 0) all += `${this.#nextLine('reads to the end')}\r\n`
      return all
    })
  }

  write(text: string): Promise<void> {
    return this.#step(() => {
      const expected = this.#left.shift()
      if (expected !== `> ${text}`) throw this.#otherwise(`it was sent "${text}"`, expected)
    })
  }

  startTls(): Promise<Certificate> {
    return this.#step(() => {
      const expected = this.#left.shift()
      if (expected !== TLS) throw this.#otherwise('TLS was begun', expected)
      return answerOf<Certificate>(this.#dialogue.answer)
    })
  }

  close(): void {
    this.#closed = true
  }

  /** Nothing is kept between cases. */
  keep(): void {
    this.close()
  }

  #step<T>(work: () => T): Promise<T> {
    return this.#dialogue.step(() => {
      if (this.#closed) throw new Fault('broken', 'the connection was closed here')
      return work()
    })
  }

  #nextLine(what: string): string {
    const next = this.#left.shift()
    if (next?.startsWith('< ') !== true) throw this.#otherwise(`the provider ${what}`, next)
    return next.slice(2)
  }

  #otherwise(what: string, expected = 'the end'): ScriptError {
    return new ScriptError(`ctx.net.connect: ${this.host} ${this.port}: ${what}, the fixture has "${expected}"`)
  }
}
