/*
 * The functions of this file run in the code sandbox: their source is sent there (`program.ts`), so they use only the
 * language, each other, and their arguments.
 */

/** Specification of a chart. */
export interface ChartSpec {
  readonly title: string
  /** Source of the figures. */
  readonly subtitle: string
  readonly unit: string
  readonly overTime: boolean
  readonly labels: readonly string[]
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[]
}

/** Key facts of a series. */
export interface SeriesFacts {
  readonly name: string
  readonly count: number
  readonly least: { readonly label: string; readonly value: number }
  readonly most: { readonly label: string; readonly value: number }
  readonly mean: number
  /**
   * Change from the first to the last figure in percent; null when the labels are not a time or the first figure is
   * 0.
   */
  readonly change: number | null
}

export interface DrawnChart {
  readonly svg: string
  readonly facts: readonly SeriesFacts[]
}

/** A chart as SVG with its key facts: a line for each series over time, else bars. */
export function chartOf(spec: ChartSpec): DrawnChart {
  return { svg: spec.overTime ? lineChart(spec) : barChart(spec), facts: spec.series.flatMap((series) => factsOf(spec, series)) }
}

export function factsOf({ labels, overTime }: ChartSpec, { name, values }: ChartSpec['series'][number]): SeriesFacts[] {
  const points = values.flatMap((value, at) => (value === null ? [] : [{ label: labels[at] ?? '', value }]))
  const [first] = points
  const last = points[points.length - 1]
  if (first === undefined || last === undefined) return []
  const sorted = [...points].sort((one, other) => one.value - other.value)
  return [
    {
      name,
      count: points.length,
      least: sorted[0] ?? first,
      most: sorted[sorted.length - 1] ?? last,
      mean: points.reduce((sum, { value }) => sum + value, 0) / points.length,
      change: overTime && first.value !== 0 ? ((last.value - first.value) / Math.abs(first.value)) * 100 : null,
    },
  ]
}

/** A frame of 960 x `height` with title and subtitle around the marks. */
export function framed({ title, subtitle, unit }: ChartSpec, height: number, marks: readonly string[]): string {
  const below = [subtitle, unit === '' ? '' : `in ${unit}`].filter((part) => part !== '').join(' · ')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="${String(height)}" viewBox="0 0 960 ${String(height)}" font-family="sans-serif">`,
    `<rect width="960" height="${String(height)}" fill="#ffffff"/>`,
    textAt(32, 42, fitted(title, 62), { size: 22, weight: 'bold' }),
    textAt(32, 68, fitted(below, 100), { size: 14, fill: '#5f6368' }),
    ...marks,
    '</svg>',
  ].join('\n')
}

/** Horizontal bars, a group for each label, with the figure at the end of each. */
export function barChart(spec: ChartSpec): string {
  const { labels, series } = spec
  const bar = series.length === 1 ? 20 : 14
  const group = bar * series.length + 10
  const top = 92 + (series.length > 1 ? 28 : 0)
  const longest = labels.reduce((most, label) => Math.max(most, Math.min(label.length, 34)), 0)
  const left = 44 + longest * 7.4
  const right = 870
  const all = series.flatMap(({ values }) => values.filter((value) => value !== null))
  const ticks = ticksOf(Math.min(0, ...all), Math.max(0, ...all))
  const low = ticks[0] ?? 0
  const high = ticks[ticks.length - 1] ?? 1
  const x = (value: number): number => left + ((value - low) / (high - low)) * (right - left)
  const bottom = top + labels.length * group
  const marks = ticks.flatMap((tick) => [
    lineFrom([x(tick), top - 4], [x(tick), bottom], tick === 0 ? '#5f6368' : '#e3e5e8'),
    textAt(x(tick), bottom + 20, shortNumber(tick), { size: 13, anchor: 'middle', fill: '#5f6368' }),
  ])
  labels.forEach((label, row) => {
    const y = top + row * group
    marks.push(textAt(left - 10, y + (bar * series.length) / 2 + 5, fitted(label, 34), { size: 14, anchor: 'end' }))
    series.forEach(({ values }, at) => {
      const value = values[row] ?? null
      if (value === null) return
      const from = Math.min(x(0), x(value))
      const width = Math.max(1, Math.abs(x(value) - x(0)))
      const [px, py] = [from.toFixed(1), String(y + at * bar)]
      marks.push(`<rect x="${px}" y="${py}" width="${width.toFixed(1)}" height="${String(bar - 2)}" fill="${colourOf(at)}"/>`)
      const end = value < 0 ? { at: from - 6, anchor: 'end' } : { at: from + width + 6, anchor: 'start' }
      marks.push(
        textAt(end.at, y + at * bar + bar / 2 + 4, shortNumber(value), {
          size: series.length === 1 ? 13 : 11,
          anchor: end.anchor,
          halo: true,
        }),
      )
    })
  })
  return framed(spec, bottom + 40, [...legendOf(spec), ...marks])
}

/** A line with points for each series; years are positioned to scale, also when some are missing. */
export function lineChart(spec: ChartSpec): string {
  const { labels, series } = spec
  const [left, right, bottom] = [86, 920, 480]
  const top = 92 + (series.length > 1 ? 28 : 0)
  const all = series.flatMap(({ values }) => values.filter((value) => value !== null))
  const [least, most] = [Math.min(...all), Math.max(...all)]
  // An axis starts at 0 unless that would flatten the line.
  const ticks = ticksOf(least > 0 && least < most * 0.6 ? 0 : least, most)
  const low = ticks[0] ?? 0
  const high = ticks[ticks.length - 1] ?? 1
  const places = labels.map((label) => Date.parse(label.length === 4 ? `${label}-01-01` : label.length === 7 ? `${label}-01` : label))
  const [begin, end] = [places[0] ?? 0, places[places.length - 1] ?? 1]
  const x = (at: number): number => left + 20 + (((places[at] ?? begin) - begin) / Math.max(1, end - begin)) * (right - left - 40)
  const y = (value: number): number => bottom - ((value - low) / (high - low)) * (bottom - top)
  const marks = ticks.flatMap((tick) => [
    lineFrom([left, y(tick)], [right, y(tick)], '#e3e5e8'),
    textAt(left - 10, y(tick) + 5, shortNumber(tick), { size: 13, anchor: 'end', fill: '#5f6368' }),
  ])
  let free = -Infinity
  labels.forEach((label, at) => {
    const width = label.length * 7.6 + 14
    if (x(at) - width / 2 < free) return
    free = x(at) + width / 2
    marks.push(textAt(x(at), bottom + 24, label, { size: 13, anchor: 'middle', fill: '#5f6368' }))
  })
  series.forEach(({ values }, at) => {
    const colour = colourOf(at)
    const points = values.flatMap((value, place) => (value === null ? [] : [`${x(place).toFixed(1)},${y(value).toFixed(1)}`]))
    marks.push(`<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2.5" stroke-linejoin="round"/>`)
    for (const point of points) {
      const [cx = '0', cy = '0'] = point.split(',')
      marks.push(`<circle cx="${cx}" cy="${cy}" r="3.5" fill="${colour}"/>`)
    }
  })
  return framed(spec, 540, [...legendOf(spec), ...marks])
}

/** Names of the series with their colours, side by side; empty for a single series, whose name is in the title. */
export function legendOf({ series }: ChartSpec): string[] {
  if (series.length < 2) return []
  const most = Math.floor((896 / series.length - 46) / 8.2)
  let left = 32
  return series.flatMap(({ name }, at) => {
    const [x, shown] = [left, fitted(name, most)]
    left += 46 + [...shown].length * 8.2
    return [`<rect x="${x.toFixed(1)}" y="84" width="14" height="14" fill="${colourOf(at)}"/>`, textAt(x + 22, 96, shown, { size: 14 })]
  })
}

/** Round numbers that enclose both ends, four to eight of them. */
export function ticksOf(low: number, high: number): number[] {
  const span = high - low || Math.abs(high) || 1
  const rough = span / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10)
  const first = Math.floor(low / step)
  const last = Math.max(first + 1, Math.ceil(high / step))
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)))
}

/** An abbreviated figure: 1,234 or 1.2M. */
export function shortNumber(value: number): string {
  const size = Math.abs(value)
  const [scale, sign] = size >= 1e9 ? [1e9, 'B'] : size >= 1e6 ? [1e6, 'M'] : [1, '']
  const digits = sign !== '' ? 2 : size >= 100 || Number.isInteger(value) ? 0 : size >= 1 ? 2 : 4
  const [whole = '', part = ''] = Math.abs(value / scale)
    .toFixed(digits)
    .split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3}){1,8}$)/g, ',')
  const rest = part.replace(/0{1,8}$/, '')
  return `${value < 0 ? '−' : ''}${grouped}${rest === '' ? '' : `.${rest}`}${sign}`
}

/** Colours distinguishable with colour blindness (Okabe and Ito, 2008). */
export function colourOf(at: number): string {
  return ['#0072b2', '#d55e00', '#009e73', '#cc79a7'][at % 4] ?? '#0072b2'
}

export function fitted(text: string, most: number): string {
  const letters = [...text]
  return letters.length <= most
    ? text
    : `${letters
        .slice(0, Math.max(1, most - 1))
        .join('')
        .trimEnd()}…`
}

export function lineFrom([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number], colour: string): string {
  const [a, b, c, d] = [x1, y1, x2, y2].map((place) => place.toFixed(1))
  return `<line x1="${a ?? ''}" y1="${b ?? ''}" x2="${c ?? ''}" y2="${d ?? ''}" stroke="${colour}" stroke-width="1"/>`
}

/** A text of the chart; `halo` keeps it readable over lines. */
export function textAt(
  x: number,
  y: number,
  text: string,
  {
    size,
    weight = 'normal',
    anchor = 'start',
    fill = '#202124',
    halo = false,
  }: { size: number; weight?: string; anchor?: string; fill?: string; halo?: boolean },
): string {
  const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
  const outline = halo ? ' stroke="#ffffff" stroke-width="3" paint-order="stroke"' : ''
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${String(size)}" font-weight="${weight}" text-anchor="${anchor}" fill="${fill}"${outline}>${escaped}</text>`
}
