import { circles, parseSources, type Import, type Source } from './import-graph.js'

/** A measured figure of the core, and the places to change when it is too high. */
export interface Figure {
  readonly value: number
  readonly where: readonly string[]
}

/** Lines are counted in hundreds begun, so that not every commit changes a figure. */
const LINES_STEP = 100
const SMALL_FILE_LINES = 40
const LONGEST_LINE = 120
/** Arrows between rooms that so few imports make are named: they are the ones to remove first, and a new one is among them. */
const THIN_ARROW = 2

/** Files that touch sockets, disks, processes or databases. */
const DRIVERS = ['exec', 'files', 'outbound', 'redis', 'store/mongodb', 'store/sqlite'].map((folder) => `core/${folder}/`)
/** Folders that a paid call passes through. */
const KERNEL = new Set('accounts calls credits dispatch http limits loader problems'.split(' '))

/** Words of which others are the standard term; whole words in names, comments, texts and log lines. */
const WORDS = [
  'asked, asks',
  'clothes',
  'for nothing',
  'given back',
  'hears, heard',
  'heeds, heeded',
  'learn, learns, learnt, learned',
  'lends, lent',
  'stands, stood',
  'strangers, stranger',
  'tells, told',
]

/** The room of a file: its folder in core, or `core` itself. */
export function roomOf(path: string): string {
  const [, folder = '', file] = path.split('/')
  return file === undefined ? 'core' : folder
}

/** All figures of the core by name, of texts by path below the root. */
export function figuresOf(texts: ReadonlyMap<string, string>): Map<string, Figure> {
  const sources = parseSources(texts)
  const imports = sources.flatMap((source) => source.imports)
  const between = imports.filter(({ from, to }) => roomOf(from) !== roomOf(to))
  const counted = (where: readonly string[]): Figure => ({ value: where.length, where })
  return new Map([
    ['folders in circles', inCircles(between, roomOf)],
    ['files in circles', inCircles(imports, (path) => path)],
    ['arrows between folders', arrowsBetween(between)],
    ['files', { value: sources.length, where: [] }],
    ['lines', linesOf(sources)],
    ['percent of files under 40 lines', smallFiles(sources)],
    ['type names declared in two files', counted(twice(sources))],
    ['lines over 120 characters', counted(longLines(sources))],
    ['imports of drivers by the kernel', counted(between.filter(isDriverImport).map(said))],
    ...[...grouped(sources, ({ path }) => roomOf(path))].sort().map(([room, own]) => [`lines of ${room}`, linesOf(own)] as const),
    ...WORDS.map((words) => [`words: ${words}`, counted(uses(sources, words.split(', ')))] as const),
  ])
}

/** What is to be done where figures and limits differ, a sentence each. Both must be equal: a limit above its figure would let it rise again. */
export function differences(figures: ReadonlyMap<string, Figure>, limits: Readonly<Record<string, number>>): string[] {
  const gone = Object.keys(limits).filter((name) => !figures.has(name))
  const found = [...figures].flatMap(([name, { value, where }]) => {
    const limit = limits[name]
    if (limit === value) return []
    if (limit === undefined) return [`${name}: add ${value}`]
    if (value < limit) return [`${name}: lower ${limit} to ${value}`]
    return [[`${name}: ${value}, at most ${limit}`, ...where].join('\n    ')]
  })
  return [...found, ...gone.map((name) => `${name}: remove it, nothing is measured by this name`)]
}

/** Items by their key, in the order of the first of each. */
function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

/** How many nodes are in circles, and the imports that connect them: those between the fewest files first. */
function inCircles(imports: readonly Import[], nodeOf: (path: string) => string): Figure {
  const found = circles(imports.map(({ from, to }) => [nodeOf(from), nodeOf(to)]))
  const where = found.flatMap((circle) => {
    const within = imports.filter(({ from, to }) => circle.includes(nodeOf(from)) && circle.includes(nodeOf(to)))
    const arrows = [...grouped(within, ({ from, to }) => `${nodeOf(from)} ${nodeOf(to)}`).values()]
    return [
      `circle of ${circle.join(', ')}:`,
      ...arrows.sort((one, other) => one.length - other.length).flatMap((arrow) => arrow.map(said)),
    ]
  })
  return { value: found.flat().length, where }
}

function arrowsBetween(imports: readonly Import[]): Figure {
  const arrows = [...grouped(imports, ({ from, to }) => `${roomOf(from)} ${roomOf(to)}`).values()]
  return { value: arrows.length, where: arrows.filter((arrow) => arrow.length <= THIN_ARROW).flatMap((arrow) => arrow.map(said)) }
}

function said({ from, to, line, typeOnly }: Import): string {
  return `${from}:${line} imports ${typeOnly ? 'types of ' : ''}${to}`
}

function isDriverImport({ from, to, typeOnly }: Import): boolean {
  return !typeOnly && KERNEL.has(roomOf(from)) && DRIVERS.some((folder) => to.startsWith(folder))
}

function linesOf(sources: readonly Source[]): Figure {
  const lines = sources.reduce((sum, source) => sum + source.lines.length, 0)
  return { value: Math.ceil(lines / LINES_STEP) * LINES_STEP, where: [`${lines} lines`] }
}

function smallFiles(sources: readonly Source[]): Figure {
  const small = sources.filter(({ lines }) => lines.length < SMALL_FILE_LINES)
  return {
    value: Math.ceil((100 * small.length) / sources.length),
    where: small.map(({ path, lines }) => `${path} has ${lines.length} lines`),
  }
}

function twice(sources: readonly Source[]): string[] {
  const declared = sources.flatMap(({ path, types }) => [...new Set(types)].map((name) => ({ name, path })))
  const several = [...grouped(declared, ({ name }) => name)].filter(([, places]) => places.length > 1)
  return several.map(([name, places]) => `${name} is declared in ${places.map(({ path }) => path).join(', ')}`).sort()
}

function longLines(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, lines }) => lines.flatMap((line, at) => (line.length > LONGEST_LINE ? [`${path}:${at + 1}`] : [])))
}

/** Uses of words, whole ones and those that names in camelCase are made of. */
function uses(sources: readonly Source[], words: readonly string[]): string[] {
  const word = new RegExp(`(?<![a-z])(?:${words.join('|')})(?![a-z])`, 'gi')
  return sources.flatMap(({ path, lines }) =>
    lines.flatMap((line, at) =>
      [...line.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').matchAll(word)].map(([found]) => `${path}:${at + 1} has ${found.toLowerCase()}`),
    ),
  )
}
