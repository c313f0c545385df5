/** What one speaker says, in seconds. */
export interface Turn {
  readonly speaker: number
  readonly from: number
  readonly to: number
}

/** Seconds of speech that were found wrong, of those that count. */
export interface Diarization {
  readonly missed: number
  readonly falseAlarm: number
  readonly confused: number
  readonly scored: number
  /** (missed + false alarm + confused) / scored. */
  readonly rate: number
}

/** Time around the beginning and the end of each turn that does not count, in seconds. */
const COLLAR_S = 0.25

/**
 * The diarization error rate as NIST RT defines it (RT-09 evaluation plan, section 7): speakers that were found are matched one to one with those who
 * speak so that they share the most time; then speech that was missed, found where there is none, or given to another counts, without a collar of 0.25 s
 * around each edge of a turn.
 */
export function diarization(reference: readonly Turn[], found: readonly Turn[], collar = COLLAR_S): Diarization {
  const names = matched(reference, found)
  const edges = reference.flatMap(({ from, to }) => [from, to])
  const times = [
    ...new Set([...edges.flatMap((edge) => [edge - collar, edge, edge + collar]), ...found.flatMap(({ from, to }) => [from, to])]),
  ]
  times.sort((one, other) => one - other)
  let [missed, falseAlarm, confused, scored] = [0, 0, 0, 0]
  times.forEach((from, at) => {
    const to = times[at + 1] ?? from
    const middle = (from + to) / 2
    if (edges.some((edge) => Math.abs(edge - middle) < collar)) return
    const speaking = speakersAt(reference, middle)
    const heard = speakersAt(found, middle).map((speaker) => names.get(speaker))
    const right = speaking.filter((speaker) => heard.includes(speaker)).length
    const length = to - from
    missed += length * Math.max(0, speaking.length - heard.length)
    falseAlarm += length * Math.max(0, heard.length - speaking.length)
    confused += length * (Math.min(speaking.length, heard.length) - right)
    scored += length * speaking.length
  })
  return { missed, falseAlarm, confused, scored, rate: (missed + falseAlarm + confused) / scored }
}

function speakersAt(turns: readonly Turn[], time: number): number[] {
  return [...new Set(turns.filter(({ from, to }) => from <= time && time < to).map(({ speaker }) => speaker))]
}

/** For each speaker that was found who it is, of all ways the one with the most time in common. */
function matched(reference: readonly Turn[], found: readonly Turn[]): Map<number, number> {
  const [real, heard] = [reference, found].map((turns) => [...new Set(turns.map(({ speaker }) => speaker))])
  const common = (one: number, other: number): number =>
    reference
      .filter(({ speaker }) => speaker === one)
      .flatMap((turn) => found.filter(({ speaker }) => speaker === other).map((each) => overlap(turn, each)))
      .reduce((sum, seconds) => sum + seconds, 0)
  let ways: { readonly taken: ReadonlyMap<number, number>; readonly seconds: number }[] = [{ taken: new Map(), seconds: 0 }]
  for (const other of heard ?? []) {
    const next = ways.flatMap((way) => [
      way,
      ...(real ?? [])
        .filter((one) => ![...way.taken.values()].includes(one))
        .map((one) => ({ taken: new Map([...way.taken, [other, one]]), seconds: way.seconds + common(one, other) })),
    ])
    ways = bestOfEach(next)
  }
  return new Map(ways.reduce((best, way) => (way.seconds > best.seconds ? way : best)).taken)
}

/** Of the ways that have used the same speakers the one with the most time: the others cannot become better. */
function bestOfEach<Way extends { readonly taken: ReadonlyMap<number, number>; readonly seconds: number }>(ways: readonly Way[]): Way[] {
  const best = new Map<string, Way>()
  for (const way of ways) {
    const used = [...way.taken.values()].sort((one, other) => one - other).join()
    const before = best.get(used)
    if (before === undefined || way.seconds > before.seconds) best.set(used, way)
  }
  return [...best.values()]
}

function overlap(one: Turn, other: Turn): number {
  return Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from))
}
