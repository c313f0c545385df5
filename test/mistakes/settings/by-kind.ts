import { stringify } from 'yaml'
import { definitionList } from '../../../config/default.js'
import { inFile, inVariable, type SettingMistake } from './mistake.js'

type Named = (typeof definitionList)[number]

/** A text that means something else than its writer thought, or nothing, and what is wanted instead. */
type Wrong = readonly [string, string | RegExp]

/** Mistakes that come with the kind of a setting. */
export function mistakesByKind(): SettingMistake[] {
  return definitionList.flatMap((definition) => [...misspelt(definition), ...ofShape(definition), ...ofValue(definition)])
}

function misspelt({ name, variable }: Named): SettingMistake[] {
  const wrong = swapped(name)
  const spelt = variable?.startsWith('CAPSTAN_') === true ? variable : null
  const byPath = `CAPSTAN_${name.toUpperCase().replaceAll('.', '_')}`
  return [
    inFile(name, asYaml(wrong, 'x'), `unknown setting ${wrong}`, `did you mean ${name}?`),
    ...(spelt === null ? [] : [inVariable(name, swapped(spelt), 'x', 'unknown variable', `did you mean ${spelt}?`)]),
    ...(spelt === null || byPath === spelt ? [] : [inVariable(name, byPath, 'x', 'unknown variable', `did you mean ${spelt}?`)]),
  ]
}

/** Brackets and groups where one value belongs, and quotes that a file of variables keeps. */
function ofShape(definition: Named): SettingMistake[] {
  const { name, type, variable } = definition
  if (type === 'lists') return []
  const must = `${name} must be`
  const rows = [
    ...(name === 'plugins' ? [] : [inFile(name, asYaml(name, { value: 'x' }), must, 'not a group of settings')]),
    ...(type === 'list'
      ? [inFile(name, asYaml(name, [['x']]), must, 'not a list'), inVariable(name, variable ?? '', '["x", "y"]', name, 'without brackets')]
      : [inFile(name, asYaml(name, ['x', 'y']), must, 'not a list')]),
  ]
  return variable === null ? rows : [...rows, inVariable(name, variable, '"x"', name, 'write it without')]
}

function ofValue(definition: Named): SettingMistake[] {
  const { name, variable, secret } = definition
  const must = `${name} must be`
  return wrongValues(definition).flatMap(([text, wanted]) => [
    inFile(name, asYaml(name, plain(text)), must, wanted, secret === true ? 'not what is there' : text),
    ...(variable === null ? [] : [inVariable(name, variable, text, must, wanted, secret === true ? 'not what is there' : text)]),
  ])
}

function wrongValues(definition: Named): Wrong[] {
  const { type, min = 0, max, values = [], form } = definition
  switch (type) {
    case 'integer': {
      const wanted = /a whole number (?:from \d+ to \d+|of at least \d+)/
      return [
        ...(['ten', '1,000', '1.5', '5 at once'] as const).map((text): Wrong => [text, wanted]),
        [String(min - 1), wanted],
        ...(max === undefined ? [] : [[String(max + 1), wanted] satisfies Wrong]),
      ]
    }
    case 'duration':
      return [
        ...(['soon', '1h30m', '5 minutes', '-5s'] as const).map((text): Wrong => [text, 'such as 90s, 15m or 2h']),
        ...(max === undefined ? [] : [[`${max + 1}s`, `to ${max}`] satisfies Wrong]),
        ...(min === 0 ? [] : [[String(min - 1), `from ${min}`] satisfies Wrong]),
      ]
    case 'bytes':
      return [
        ...(['much', '10 megabytes', '-1MB', '1,5GB'] as const).map((text): Wrong => [text, 'such as 512KiB, 32MiB or 1GiB']),
        ...(max === undefined ? [] : [[String(max + 1), `to ${max}`] satisfies Wrong]),
        [String(min - 1), /from \d+|of at least \d+/],
      ]
    case 'enum':
      return ['yes', 'default', `${values[0] ?? ''}s`].map((text): Wrong => [text, `one of ${values.join(', ')}`])
    default:
      return form === undefined ? [] : [['ftp:/x y', form.says]]
  }
}

/** Two neighbouring letters at the end of a name in each other's place. */
export function swapped(name: string): string {
  const at = [...name].findLastIndex(
    (letter, index) => index > 0 && /[a-z]/i.test(letter) && letter !== name[index - 1] && /[a-z]/i.test(name[index - 1] ?? ''),
  )
  return `${name.slice(0, at - 1)}${name[at] ?? ''}${name[at - 1] ?? ''}${name.slice(at + 1)}`
}

/** A number is written as one, everything else as a text. */
function plain(text: string): unknown {
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
}

export function asYaml(name: string, value: unknown): string {
  return stringify(name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value))
}
