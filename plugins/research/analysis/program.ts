import { Type, type Static } from '../../../core/sdk/index.js'
import {
  barChart,
  chartOf,
  colourOf,
  factsOf,
  fitted,
  framed,
  legendOf,
  lineChart,
  lineFrom,
  shortNumber,
  textAt,
  ticksOf,
  type ChartSpec,
} from './draw.js'

const PARTS = [chartOf, factsOf, framed, barChart, lineChart, legendOf, ticksOf, shortNumber, colourOf, fitted, lineFrom, textAt]

const extreme = Type.Object({ label: Type.String(), value: Type.Number() })

/** Output of the program, one chart for each specification. */
export const drawn = Type.Array(
  Type.Object({
    svg: Type.String({ pattern: '^<svg ' }),
    facts: Type.Array(
      Type.Object({
        name: Type.String(),
        count: Type.Integer(),
        least: extreme,
        most: extreme,
        mean: Type.Number(),
        change: Type.Union([Type.Number(), Type.Null()]),
      }),
    ),
  }),
)
export type Drawn = Static<typeof drawn>[number]

/** A JavaScript program without imports that draws charts and prints them as JSON. Texts of pages are embedded only as data. */
export function programOf(charts: readonly ChartSpec[]): string {
  return `${PARTS.map(String).join('\n')}\nconsole.log(JSON.stringify(${JSON.stringify(charts)}.map(chartOf)))\n`
}
