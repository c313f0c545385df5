import { gzipSync } from 'node:zlib'
import type { Trip } from './trips/types.js'
import { ConversionWorld } from './world.js'

/** What came of the ways of one engine. */
export interface EngineWalk {
  readonly engine: string
  /** Formats of which a file was converted, or that a file was made into, with a result that was checked. */
  readonly formats: ReadonlySet<string>
  readonly pairs: number
  /** Milliseconds of each call. */
  readonly times: readonly number[]
  readonly failures: readonly string[]
  /** What the answers said of losses. */
  readonly noted: readonly string[]
}

/** Converts along ways, each engine alone on a gateway of its own, several ways at once. */
export class Walk {
  readonly #say: (text: string) => void
  readonly #atOnce: number

  constructor(say: (text: string) => void, atOnce = 1) {
    this.#say = say
    this.#atOnce = atOnce
  }

  async engine(engine: string, trips: readonly Trip[]): Promise<EngineWalk> {
    const formats = new Set<string>()
    const times: number[] = []
    const failures: string[] = []
    const noted: string[] = []
    const world = await ConversionWorld.start(engine)
    const left = trips.filter((each) => each.engine === engine)
    const walker = async (): Promise<void> => {
      for (let trip = left.shift(); trip !== undefined; trip = left.shift())
        await this.#trip(world, trip, { formats, times, failures, noted })
    }
    try {
      await Promise.all(Array.from({ length: this.#atOnce }, walker))
    } finally {
      await world.close()
    }
    return { engine, formats, pairs: times.length, times, failures, noted }
  }

  async #trip(
    world: ConversionWorld,
    { engine, data, steps }: Trip,
    { formats, times, failures, noted }: { formats: Set<string>; times: number[]; failures: string[]; noted: string[] },
  ): Promise<void> {
    let current = typeof data === 'function' ? await data() : data
    for (const { from, to, check, gzip } of steps) {
      if (gzip === true) current = gzipSync(current)
      try {
        const made = await world.convert({ data: current, from, to })
        if (made.engine !== engine) throw new Error(`made by ${made.engine}`)
        await check?.(made.bytes, made.name)
        this.#say(`${engine} ${from} to ${to} ${made.ms.toFixed(0)} ms, ${String(made.bytes.length)} bytes`)
        for (const note of made.notes) this.#say(`NOTE ${note}`)
        noted.push(...made.notes.map((note) => `${from} to ${to}: ${note}`))
        times.push(made.ms)
        formats.add(from).add(to)
        current = made.bytes
      } catch (error) {
        const failure = `${from} to ${to}: ${(error instanceof Error ? error.message : String(error)).slice(0, 400)}`
        failures.push(failure)
        this.#say(`FAILED ${engine} ${failure}`)
        return
      }
    }
  }
}
