import { Fault, list, or, Type } from '../../core/sdk/index.js'
import { livePairs } from './engines.js'
import { formatOf, noFormat } from './formats/find.js'
import type { Format } from './formats/format.js'
import { FORMATS } from './formats/table.js'
import type { Engine } from './pairs/pairs.js'
import { matrixOf, type Reached } from './matrix.js'

const name = (what: string) => or(Type.String({ maxLength: 40, description: `${what} An id or an alias; empty for all.` }), '')

const target = Type.Object({
  format: Type.String(),
  engines: Type.Array(Type.String(), { description: 'Engines that convert in one step, in the order tried; empty for two steps.' }),
  steps: Type.Integer({ minimum: 1, maximum: 2 }),
  through: Type.Union([Type.String(), Type.Null()], { description: 'Intermediate format of two steps.' }),
})

/** `GET /v1/files/formats`. */
export const formats = list({
  path: '/v1/files/formats',
  title: 'File formats',
  description:
    'Formats that can be converted now, with their aliases. With `source` or `target` also the pairs: the targets of ' +
    'a format, or the sources that convert to it, with the engines and the number of steps. Formats that no engine ' +
    'of this gateway reads or writes are left out.',
  query: Type.Object({ source: name('Only pairs from this format.'), target: name('Only pairs to this format.') }),
  response: Type.Object({
    count: Type.Integer({ description: 'Number of formats in the list.' }),
    formats: Type.Array(
      Type.Object({
        format: Type.String(),
        title: Type.String(),
        family: Type.String(),
        mime_type: Type.String(),
        aliases: Type.Array(Type.String()),
        readable: Type.Boolean({ description: 'Whether it can be source_format.' }),
        writable: Type.Boolean({ description: 'Whether it can be target_format.' }),
        targets: Type.Array(target, { description: 'Formats it can be converted to; empty without `source` and `target`.' }),
      }),
    ),
  }),
  read: ({ query, providers }) => {
    const [source, wanted] = [formatParameter('source', query.source), formatParameter('target', query.target)]
    const engines = livePairs(providers())
    const from = source === null ? FORMATS : [source]
    const to = wanted === null ? FORMATS : [wanted]
    const rows = source === null && wanted === null ? overview(engines) : pairs(engines, from, to)
    return { count: rows.length, formats: rows }
  },
})

function formatParameter(field: string, value: string): Format | null {
  if (value === '') return null
  const format = formatOf(value)
  if (format !== null) return format
  throw new Fault('invalid', noFormat(value), { loc: [field] })
}

function overview(engines: readonly Engine[]) {
  const [read, written] = [readBy(engines), writtenBy(engines)]
  return FORMATS.filter(({ id }) => read.has(id) || written.has(id)).map((format) =>
    row(format, read.has(format.id), written.has(format.id), []),
  )
}

function pairs(engines: readonly Engine[], from: readonly Format[], to: readonly Format[]) {
  const written = writtenBy(engines)
  return from.flatMap((format) => {
    const targets = matrixOf(engines, format, to)
    return targets.length === 0 ? [] : [row(format, true, written.has(format.id), targets)]
  })
}

function row({ id, title, family, mime, aliases = [] }: Format, readable: boolean, writable: boolean, targets: readonly Reached[]) {
  return { format: id, title, family, mime_type: mime, aliases: [...aliases], readable, writable, targets: [...targets] }
}

function readBy(engines: readonly Engine[]): Set<string> {
  return new Set(engines.flatMap(({ targets }) => [...targets.keys()]))
}

function writtenBy(engines: readonly Engine[]): Set<string> {
  return new Set(engines.flatMap(({ targets }) => [...targets.values()].flatMap((to) => [...to])))
}
