import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { hint } from '../../../core/sdk/nearest.js'
import { fileFault } from '../../../core/runtime/file-faults.js'
import { typeWords } from '../../../core/problems/schema-faults/words.js'
import { UsageError } from './failure.js'
import { fieldOf, type Fields } from './record.js'

/**
 * Converts `name=value`, `name=@file` and `name:=json` to parameters by the capability's schemas. Numbers, booleans, lists and
 * objects are parsed where the schema requires them; a list of texts may be written with commas. Throws a UsageError that
 * names the argument. The gateway validates the values.
 */
export function parseParameters(words: readonly string[], schemas: Fields, cwd: string): Fields {
  if (words.some((word) => /^:?=/.test(word))) throw new UsageError('a parameter is written name=value, without spaces around the =')
  const result = new Map<string, unknown>()
  for (const word of words) {
    const [, name, operator, value] = /^([A-Za-z_][\w-]*)(:=|=)(.*)$/s.exec(word) ?? []
    if (name === undefined || value === undefined)
      throw new UsageError(`${JSON.stringify(word)} is not a parameter; write name=value, name=@file or name:=json`)
    if (!(name in schemas)) throw new UsageError(`there is no parameter ${name}${hint(name, Object.keys(schemas))}`)
    if (result.has(name)) throw new UsageError(`${name} is given twice`)
    result.set(name, operator === ':=' ? json(name, value, shellWords(name)) : plain(name, value, { schema: schemas[name], cwd }))
  }
  return Object.fromEntries(result)
}

function plain(name: string, value: string, { schema, cwd }: { schema: unknown; cwd: string }): unknown {
  const file = value.startsWith('@') && value.length > 1 ? resolve(cwd, value.slice(1)) : null
  const text = file === null ? value : fileText(name, file)
  const types = typesOf(schema)
  if (types.has('null') && text === 'null') return null
  if ((types.has('number') || types.has('integer')) && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text.trim())) return Number(text)
  if (types.has('boolean') && /^(?:true|false)$/.test(text.trim())) return text.trim() === 'true'
  if (types.has('string')) return text
  if (types.has('array') && !text.trimStart().startsWith('['))
    return text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  if (types.has('object') || types.has('array')) return json(name, text, file === null ? shellWords(name) : `it was read from ${file}`)
  if (types.size === 0) return text
  throw new UsageError(`${name} must be ${typeWords([...types].filter((type) => type !== 'null'))}, not ${JSON.stringify(text)}`)
}

function json(name: string, text: string, remedy: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${name} must be JSON (${error instanceof Error ? error.message : String(error)}); ${remedy}`)
  }
}

/** A hint for quoting JSON in a shell. */
function shellWords(name: string): string {
  return `in a shell put it in single quotes: ${name}:='{"a": 1}'`
}

/** A file as text, or as Base64 where it is not UTF-8. */
function fileText(name: string, path: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw new UsageError(`${name}: ${path}: ${fileFault(error)}; write a text that begins with @ as ${name}:='"@…"'`)
  }
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : bytes.toString('base64')
}

function typesOf(schema: unknown): ReadonlySet<string> {
  const type = fieldOf(schema, 'type')
  const union = [fieldOf(schema, 'anyOf'), fieldOf(schema, 'oneOf')].flatMap((each) =>
    Array.isArray(each) ? each.flatMap((one: unknown) => [...typesOf(one)]) : [],
  )
  const own: unknown[] = Array.isArray(type) ? type : [type]
  return new Set([...own.filter((each) => typeof each === 'string'), ...union])
}
