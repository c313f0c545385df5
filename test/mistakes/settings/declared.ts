import type { KnownNames } from '../../../core/config/types.js'
import { settingVariable } from '../../../core/config/variables.js'
import { isRecord } from '../../../core/sdk/json.js'
import { asYaml, swapped } from './by-kind.js'
import { inFile, inVariable, type SettingMistake } from './mistake.js'

/** Who declares settings: a plugin, or a vendor. */
interface Owner {
  readonly group: 'plugins' | 'vendors'
  readonly id: string
  readonly known: KnownNames
  readonly properties: Readonly<Record<string, unknown>>
}

/** Mistakes with every setting that a plugin or a vendor declares, and the names that each is judged with. */
export function declaredMistakes(known: KnownNames): (readonly [SettingMistake, KnownNames])[] {
  return owners(known).flatMap(({ known: own, ...owner }) =>
    Object.entries(owner.properties).flatMap(([name, schema]) => mistakes(owner, name, schema).map((each) => [each, own] as const)),
  )
}

function owners(known: KnownNames): Owner[] {
  return [
    ...known.vendors.flatMap((vendor): Owner[] =>
      vendor.settings === undefined
        ? []
        : [
            {
              group: 'vendors',
              id: vendor.id,
              properties: vendor.settings.properties,
              known: { ...known, vendors: [vendor], plugins: [] },
            },
          ],
    ),
    ...known.plugins.flatMap((plugin): Owner[] =>
      plugin.settings === undefined
        ? []
        : [
            {
              group: 'plugins',
              id: plugin.name,
              properties: plugin.settings.properties,
              known: { ...known, vendors: [], plugins: [plugin] },
            },
          ],
    ),
  ]
}

function mistakes({ group, id }: Omit<Owner, 'known'>, name: string, schema: unknown): SettingMistake[] {
  const of = `${group}.${id}.${name}`
  const variable = settingVariable(id, name)
  const must = `${of} must`
  const types = typesOf(schema)
  const shape = types.includes('object') ? ['x'] : { value: 'x' }
  return [
    inFile(of, asYaml(`${group}.${id}.${swapped(name)}`, 'x'), `unknown setting ${group}.${id}.${swapped(name)}`, `did you mean ${name}?`),
    inVariable(of, swapped(variable), 'x', 'unknown variable', `did you mean ${variable}?`),
    inVariable(of, variable, '"x"', of, 'write it without'),
    inFile(of, asYaml(of, shape), must),
    ...(types.includes('array') ? [] : [inFile(of, asYaml(of, [['x']]), must)]),
    ...wrongTexts(types).flatMap((text) => [inFile(of, asYaml(of, text), must), inVariable(of, variable, text, must)]),
    ...(types.includes('string') ? [inVariable(of, variable, 'one\ntwo', of, 'in one line')] : []),
    ...(types.includes('array') ? [inFile(of, asYaml(of, [{ a: 1 }]), of), inVariable(of, variable, '[x', of)] : []),
  ]
}

function wrongTexts(types: readonly unknown[]): string[] {
  if (types.includes('string') || types.includes('array') || types.length === 0) return []
  return types.includes('boolean') ? ['perhaps', 'yes please'] : ['many', '1,000', '5 a day']
}

function typesOf(schema: unknown): readonly unknown[] {
  if (!isRecord(schema)) return []
  if (Array.isArray(schema.anyOf)) return schema.anyOf.flatMap(typesOf)
  return Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type]
}
