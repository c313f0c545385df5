import { formatOf } from './formats/find.js'
import { MIDDLES } from './formats/middles.js'

interface Step {
  readonly from: string
  readonly to: string
}
/** One step, or two through an intermediate format. */
export type Path = readonly [Step] | readonly [Step, Step]
export type Can = (from: string, to: string) => boolean

/** Paths from one format to another, best first: direct, then through the intermediate formats of both families. */
export function pathsOf(from: string, to: string, can: Can): Path[] {
  const straight: Path[] = can(from, to) ? [[{ from, to }]] : []
  const through = middlesOf(from, to)
    .filter((middle) => can(from, middle) && can(middle, to))
    .map((middle): Path => [
      { from, to: middle },
      { from: middle, to },
    ])
  return [...straight, ...through]
}

function middlesOf(from: string, to: string): string[] {
  const [source, target] = [formatOf(from), formatOf(to)]
  if (source === null || target === null || from === to) return []
  // An HTML page has no paper pages: as one picture it would lose the page breaks of a document.
  const paged = target.family === 'picture' && MIDDLES[source.family].includes('html') ? ['pdf'] : []
  const both = [...paged, ...MIDDLES[source.family], ...MIDDLES[target.family]]
  return [...new Set(both)].filter((middle) => middle !== from && middle !== to)
}
