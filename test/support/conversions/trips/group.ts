import type { Check } from '../checks.js'
import type { Sample, Trip } from './types.js'

/** What an engine makes of what, and how the walk goes about it. */
export interface Group {
  readonly engine: string
  readonly from: readonly string[]
  readonly to: readonly string[]
  /** Files of formats; of others one is made. */
  readonly samples: Readonly<Record<string, Sample>>
  /** Samples of which the targets are made: the second makes the first. */
  readonly hubs: readonly [string, string]
  /** The format a source is converted into, so that its content can be checked: the first that is not the source itself. */
  readonly shown: readonly string[]
  readonly check: (to: string, from: string) => Check | undefined
}

/** Each target made of a sample, and read again where it is a source too; each sample read. Throws for a format that has no way to it. */
export function roundTrips({ engine, from, to, samples, hubs, shown, check }: Group): Trip[] {
  const step = (source: string, target: string): Trip['steps'][number] => {
    const own = check(target, source)
    return { from: source, to: target, ...(own === undefined ? {} : { check: own }) }
  }
  const back = (source: string): Trip['steps'][number] => {
    const target = shown.find((id) => id !== source && to.includes(id))
    if (target === undefined) throw new Error(`nothing shows a file of ${source}`)
    return step(source, target)
  }
  const sampleOf = (id: string): Sample => {
    const sample = samples[id]
    if (sample === undefined) throw new Error(`there is no sample of ${id}`)
    return sample
  }
  const made = to.map((id): Trip => {
    const hub = id === hubs[0] ? hubs[1] : hubs[0]
    const again = from.includes(id) && (samples[id] === undefined || check(id, hub) === undefined) ? [back(id)] : []
    return { engine, data: sampleOf(hub), steps: [step(hub, id), ...again] }
  })
  const read = from.filter((id) => samples[id] !== undefined || !to.includes(id))
  return [...made, ...read.map((id): Trip => ({ engine, data: sampleOf(id), steps: [back(id)] }))]
}
