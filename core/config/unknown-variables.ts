import { definitionList } from '../../config/default.js'
import { hint } from '../sdk/nearest.js'
import type { KnownNames } from './types.js'
import type { ConfigProblem } from '../problems/errors.js'
import {
  OTHER_VARIABLES,
  TEST_PREFIX,
  programVariable,
  settingVariable,
  upper,
  urlVariable,
  waterfallVariable,
  type Environment,
} from './variables.js'

/** Unknown variables that begin with CAPSTAN_. */
export function unknownVariables(env: Environment, known: KnownNames): ConfigProblem[] {
  const names = knownVariables(known)
  return [...env.keys()]
    .filter(
      (name) =>
        name.startsWith('CAPSTAN_') && name.slice('CAPSTAN_'.length).includes('_') && !names.has(name) && !name.startsWith(TEST_PREFIX),
    )
    .map((name) => ({ where: name, message: `unknown variable${bySetting(name) ?? hint(name, [...names])}`, level: 'warning' }))
}

/** A suggestion for a variable that spells out a setting's name: CAPSTAN_SERVER_PORT is CAPSTAN_PORT. */
function bySetting(name: string): string | null {
  const variable = definitionList.find((definition) => `CAPSTAN_${upper(definition.name)}` === name)?.variable ?? null
  return variable === null ? null : `; did you mean ${variable}?`
}

function knownVariables(known: KnownNames): ReadonlySet<string> {
  const names = new Set(OTHER_VARIABLES)
  for (const { variable } of definitionList) if (variable !== null) names.add(variable)
  for (const port of known.ports) names.add(waterfallVariable(port))
  for (const program of known.programs) names.add(programVariable(program))
  const settings = (owner: string, schema: { properties: object } | undefined): void => {
    for (const setting of Object.keys(schema?.properties ?? {})) names.add(settingVariable(owner, setting))
  }
  for (const vendor of known.vendors) {
    names.add(urlVariable(vendor.id))
    for (const variable of [...Object.values(vendor.secrets ?? {}), ...Object.values(vendor.optionalSecrets ?? {})]) names.add(variable)
    settings(vendor.id, vendor.settings)
  }
  for (const plugin of known.plugins) settings(plugin.name, plugin.settings)
  return names
}

/** Unknown variables that cannot belong to a plugin, reported before plugins are loaded. */
export function earlyVariableWarnings(env: Environment): ConfigProblem[] {
  const names = new Set(OTHER_VARIABLES)
  for (const { variable } of definitionList) if (variable !== null) names.add(variable)
  return [...env.keys()]
    .filter((name) => name.startsWith('CAPSTAN_') && !name.slice('CAPSTAN_'.length).includes('_') && !names.has(name))
    .map((name) => ({ where: name, message: `unknown variable${hint(name, [...names])}`, level: 'warning' }))
}
