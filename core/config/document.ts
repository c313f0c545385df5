import type { Document, Node, Scalar } from 'yaml'
import { packageAtUse } from '../sdk/package-at-use.js'
import { type Variables, expand } from './variables.js'
import type { Located, LocatedEntry, LocatedMap } from './located.js'
import type { ConfigProblem } from '../problems/errors.js'

/** Most gateways have no file. */
const yaml = packageAtUse<typeof import('yaml')>('yaml')

const MAX_ALIASES = 100
const MAX_DEPTH = 32

/** A parsed file: its settings with their places, and syntax problems. */
export interface ReadDocument {
  readonly root: LocatedMap
  readonly problems: readonly ConfigProblem[]
}

/** The settings of a file without any. */
export function emptyRoot(label: string): LocatedMap {
  return { kind: 'map', where: `${label}:1:1`, entries: new Map() }
}

/** Parses a YAML file; `label`: its name in messages. References are replaced after parsing, so that a secret may contain `#` or `:`. */
export function readDocument(text: string, label: string, env: Variables): ReadDocument {
  const { LineCounter, parseDocument } = yaml()
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, strict: true })
  const reader = new DocumentReader(
    document,
    (offset) => {
      const { line, col } = lines.linePos(offset)
      return `${label}:${line}:${col}`
    },
    env,
  )
  for (const fault of [...document.errors, ...document.warnings]) reader.problem(fault.pos[0], fault.message)
  const empty = emptyRoot(label)
  const contents: unknown = document.contents
  if (contents === null || document.errors.length > 0) return { root: empty, problems: reader.problems }
  const root = reader.read(contents, 0)
  if (root.kind === 'map') return { root, problems: reader.problems }
  if (root.kind !== 'nothing') reader.problem(0, 'the file must be a group of settings, for example "server:" with "port: 8420" below')
  return { root: empty, problems: reader.problems }
}

class DocumentReader {
  readonly problems: ConfigProblem[] = []
  readonly #document: Document
  readonly #place: (offset: number) => string
  readonly #env: Variables
  #aliases = 0

  constructor(document: Document, place: (offset: number) => string, env: Variables) {
    this.#document = document
    this.#place = place
    this.#env = env
  }

  problem(offset: number, message: string): void {
    this.problems.push({ where: this.#place(offset), message, level: 'error' })
  }

  read(node: unknown, depth: number): Located {
    const { isAlias, isMap, isScalar, isSeq } = yaml()
    if (isAlias(node)) return this.#alias(node, depth)
    if (isScalar(node)) return this.#scalar(node)
    const offset = offsetOf(node)
    const where = this.#place(offset)
    if (depth > MAX_DEPTH) {
      this.problem(offset, `settings are nested more than ${MAX_DEPTH} deep`)
      return { kind: 'nothing', where }
    }
    if (isSeq(node)) return { kind: 'list', where, items: node.items.map((item) => this.read(item, depth + 1)) }
    if (isMap(node)) {
      const entries = new Map<string, LocatedEntry>()
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? this.#scalar(key) : null
        if (name?.kind !== 'text') this.problem(offsetOf(key), 'the name of a setting must be a plain word')
        else
          entries.set(name.text, {
            where: name.where,
            value: value === null ? { kind: 'nothing', where: name.where } : this.read(value, depth + 1),
          })
      }
      return { kind: 'map', where, entries }
    }
    return { kind: 'nothing', where }
  }

  #alias(node: { resolve(document: Document): Node | undefined }, depth: number): Located {
    const target = node.resolve(this.#document)
    if (++this.#aliases <= MAX_ALIASES && target !== undefined) return this.read(target, depth + 1)
    if (this.#aliases === MAX_ALIASES + 1) this.problem(offsetOf(node), `more than ${MAX_ALIASES} aliases`)
    return { kind: 'nothing', where: this.#place(offsetOf(node)) }
  }

  #scalar(node: Scalar): Located {
    const offset = offsetOf(node)
    const where = this.#place(offset)
    if (node.value === null) return { kind: 'nothing', where }
    const plain = node.type === 'PLAIN'
    const written = typeof node.value === 'string' ? node.value : (node.source ?? JSON.stringify(node.value))
    const { text, replaced, faults } = expand(written, this.#env)
    for (const fault of faults) this.problem(offset, fault)
    return faults.length > 0 || (text === '' && plain) ? { kind: 'nothing', where } : { kind: 'text', where, text, plain, replaced }
  }
}

function offsetOf(node: unknown): number {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range) && typeof node.range[0] === 'number'
    ? node.range[0]
    : 0
}
