import { formatOf } from '../../plugins/convert/formats/find.js'
import { fits, peek } from '../../plugins/convert/formats/shape.js'
import { COMPRESSED, seeds, WORD } from './seeds.js'
import type { Direct, FormatWorld } from './world.js'
import { gzipSync } from 'node:zlib'

export interface Trial {
  readonly from: string
  readonly to: string
  readonly engine: string
  readonly ms: number
  /** What went wrong. */
  readonly failure: string | null
}

/** In what a format is read first: what shows best whether it was understood. */
const SHOWN = ['txt', 'csv', 'pdf', 'html', 'srt', 'wav', 'mp4', 'png', 'docx', 'tar']
/** Sources that one format is tried from until one works. */
const MOST_SOURCES = 3

/** Walks the table: makes a file of every format, then has each of them read, then each engine read and write what it was not asked for yet. */
export class Walk {
  readonly trials: Trial[] = []
  readonly #world: FormatWorld
  readonly #pairs: Map<string, Direct[]>
  readonly #files = seeds()
  readonly #say: (text: string) => void
  readonly #engines: readonly string[]

  constructor(
    world: FormatWorld,
    { pairs, say, engines }: { pairs: Map<string, Direct[]>; say: (text: string) => void; engines: readonly string[] },
  ) {
    this.#world = world
    this.#pairs = pairs
    this.#say = say
    this.#engines = engines
  }

  async run(): Promise<void> {
    await this.#makeAll()
    for (const [from, to] of COMPRESSED) {
      const plain = this.#files.get(from)
      if (plain !== undefined) this.#files.set(to, gzipSync(plain))
    }
    await this.#readAll()
    await this.#coverAll()
  }

  /** Formats of which a file was converted or made, and its result checked. */
  get reached(): string[] {
    const good = this.trials.filter(({ failure }) => failure === null)
    return [...new Set(good.flatMap(({ from, to }) => [from, to]))].sort()
  }

  async #makeAll(): Promise<void> {
    const tries = new Map<string, number>()
    for (let more = true; more;) {
      more = false
      for (const from of [...this.#files.keys()])
        for (const { to, engine } of this.#pairs.get(from) ?? []) {
          const tried = tries.get(to) ?? 0
          if (this.#files.has(to) || tried >= MOST_SOURCES || this.#tried(from, to) || !this.#wanted(engine)) continue
          tries.set(to, tried + 1)
          await this.#try(from, to)
          more = true
        }
    }
  }

  async #readAll(): Promise<void> {
    for (const from of [...this.#files.keys()]) {
      if (this.trials.some((trial) => trial.from === from && trial.failure === null)) continue
      const targets = (this.#pairs.get(from) ?? []).filter(({ engine }) => this.#wanted(engine)).map(({ to }) => to)
      const to = SHOWN.find((each) => targets.includes(each)) ?? targets[0]
      if (to !== undefined) await this.#try(from, to)
    }
  }

  async #coverAll(): Promise<void> {
    for (const [from, direct] of this.#pairs)
      for (const { to, engine } of direct) {
        if (!this.#files.has(from) || !this.#wanted(engine)) continue
        const own = this.trials.filter((trial) => trial.engine === engine)
        if (own.some((trial) => trial.from === from) && own.some((trial) => trial.to === to)) continue
        await this.#try(from, to)
      }
  }

  #wanted(engine: string): boolean {
    return this.#engines.length === 0 || this.#engines.includes(engine)
  }

  #tried(from: string, to: string): boolean {
    return this.trials.some((trial) => trial.from === from && trial.to === to)
  }

  async #try(from: string, to: string): Promise<void> {
    const data = this.#files.get(from)
    if (data === undefined || this.#tried(from, to)) return
    const first = this.#pairs.get(from)?.find((direct) => direct.to === to)?.engine ?? ''
    try {
      const made = await this.#world.convert(data, from, to)
      const failure = made.name.endsWith('.zip') && to !== 'zip' ? null : await violation(to, made.bytes)
      this.trials.push({ from, to, engine: made.engine, ms: made.ms, failure })
      if (failure === null && !this.#files.has(to)) this.#files.set(to, made.bytes)
      this.#say(`${from} to ${to}: ${made.engine} ${made.ms.toFixed(0)} ms${failure === null ? '' : ` FAILED ${failure}`}`)
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error)
      this.trials.push({ from, to, engine: first, ms: 0, failure })
      this.#say(`${from} to ${to}: ${first} FAILED ${failure}`)
    }
  }
}

/** What is wrong with a file; its form by the table, and where it is text that the word of the seeds is in it. */
async function violation(to: string, bytes: Buffer): Promise<string | null> {
  const shape = formatOf(to)?.is ?? {}
  const stream = async function* (): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes)
  }
  if (!fits(shape, await peek(stream(), shape.holds), { complete: true })) return `no ${to}: ${bytes.toString('latin1', 0, 20)}`
  if (
    ['txt', 'csv', 'tsv', 'html', 'xhtml', 'fodt', 'fods', 'rtf', 'srt', 'vtt', 'ass'].includes(to) &&
    !/Sequoia|slide/i.test(bytes.toString('latin1'))
  )
    return `${WORD} is not in the ${to}`
  return null
}
