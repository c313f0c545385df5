import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { definitionList } from '../../config/default.js'
import { loadConfig } from '../../core/config/load.js'
import { readPlace } from '../../core/files/s3/place.js'
import { packageRoot } from '../../core/runtime/root.js'

/** Text of a file of the repository. */
export function textOf(path: string): string {
  return readFileSync(join(packageRoot(), path), 'utf8')
}

/** A YAML document with its merges done. */
export function yamlOf(path: string): Tree {
  return new Tree(parse(textOf(path), { merge: true }))
}

/** All documents of a YAML file. */
export function documentsOf(path: string): Tree[] {
  return parseAllDocuments(textOf(path)).map((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.join('\n'))
    return new Tree(document.toJS())
  })
}

/** A value of a parsed file, walked by names. */
export class Tree {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }

  at(...path: (string | number)[]): Tree {
    let value = this.value
    for (const name of path)
      value = typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[name] : undefined
    return new Tree(value)
  }

  get entries(): [string, Tree][] {
    return typeof this.value === 'object' && this.value !== null
      ? Object.entries(this.value).map(([name, value]) => [name, new Tree(value)])
      : []
  }

  get items(): Tree[] {
    return Array.isArray(this.value) ? this.value.map((value) => new Tree(value)) : []
  }

  get text(): string {
    return typeof this.value === 'string' ? this.value : ''
  }

  /** Names and values of a mapping of texts. */
  get texts(): Record<string, string> {
    return Object.fromEntries(this.entries.map(([name, { value }]) => [name, String(value)]))
  }
}

/** Why an image's name is not a pinned one; null when it is. Names with a host are refused: where images come from is the operator's. */
export function imageFault(image: string): string | null {
  const [, name = '', tag] = /^([^:@]+)(?::([\w.-]+))?$/.exec(image) ?? []
  if (name === '' || (name.includes('/') && name.split('/')[0]?.includes('.') === true)) return 'is no plain name'
  if (tag === undefined) return 'has no tag'
  return /\d+\.\d+\.\d+/.test(tag) || /\d{4}-\d{2}-\d{2}/.test(tag) ? null : 'is not pinned to one version'
}

const VARIABLES = new Set<string | null>(definitionList.map(({ variable }) => variable))

/** Every CAPSTAN_ variable a text names that no setting has. */
export function unknownVariables(text: string): string[] {
  return [...new Set(text.match(/\bCAPSTAN_[A-Z0-9_]*[A-Z0-9]/g) ?? [])].filter((name) => !VARIABLES.has(name))
}

/** What the gateway would say to an environment, wrong or unknown alike. */
export function complaints(env: Readonly<Record<string, string>>): string[] {
  const config = loadConfig({ file: null, env, root: packageRoot() })
  const artifacts = env['CAPSTAN_ARTIFACTS']
  if (artifacts?.startsWith('s3:') === true) readPlace(artifacts)
  const known = { vendors: [], plugins: [], ports: [], prices: new Map(), serving: new Map(), programs: [] }
  return [...config.warnings, ...config.problems(known)].map(({ where, message }) => `${where}: ${message}`)
}

/** Seconds of a duration such as 45s or 2m. */
export function seconds(text: string): number {
  const [, count, unit] = /^(\d+)(s|m)?$/.exec(text) ?? []
  return Number(count) * (unit === 'm' ? 60 : 1)
}
