import { definitionList } from '../../config/default.js'

/** A name as part of a variable: upper case, with `_` for everything but letters and digits. */
export function upper(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '_')
}

/** Variable of a port's order. */
export function waterfallVariable(port: string): string {
  return `CAPSTAN_WATERFALL_${upper(port)}`
}

/** Variable of a vendor's address. */
export function urlVariable(vendor: string): string {
  return `CAPSTAN_VENDOR_${upper(vendor)}_URL`
}

/** Variable of a program's path. */
export function programVariable(program: string): string {
  return `CAPSTAN_PROGRAM_${upper(program)}`
}

/** Variable of a setting that a plugin or a vendor declares. */
export function settingVariable(owner: string, setting: string): string {
  return `CAPSTAN_${upper(owner)}_${upper(setting)}`
}

/** Variables of other commands and of tests, which the gateway does not read as settings. */
export const OTHER_VARIABLES: ReadonlySet<string> = new Set(['CAPSTAN_URL', 'CAPSTAN_API_KEY', 'CAPSTAN_CONFIG'])

/** Prefix of variables of tests, which are ignored. */
export const TEST_PREFIX = 'CAPSTAN_TEST_'

/** The variables at the time the configuration was read, without empty ones. */
export type Variables = ReadonlyMap<string, string>

/** A copy of the variables without the empty ones. */
export function environmentOf(env: Readonly<Record<string, string | undefined>>): Variables {
  const kept = new Map<string, string>()
  for (const [name, value] of Object.entries(env)) if (value !== undefined && value !== '') kept.set(name, value)
  return kept
}

/** The variable of a setting by its name in the file: `vendors.acme.url` is CAPSTAN_VENDOR_ACME_URL. */
export function variableFor(name: string): string {
  const core = definitionList.find((definition) => definition.name === name)
  if (core?.variable != null) return core.variable
  const [group = '', owner = '', ...rest] = name.split('.')
  if (group === 'waterfall') return waterfallVariable([owner, ...rest].join('.'))
  if (group === 'programs') return programVariable([owner, ...rest].join('.'))
  if (group === 'vendors' && rest.join('.') === 'url') return urlVariable(owner)
  if ((group === 'vendors' || group === 'plugins') && rest.length > 0) return settingVariable(owner, rest.join('.'))
  return `CAPSTAN_${upper(name)}`
}

const REFERENCE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::([-?])([^}]*))?\}|\$\{/g

/**
 * Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}`; `$${` is an escaped `${`. Replacements are not
 * expanded again. Faults are sentences: a variable that is not set, or an invalid reference.
 */
export function expand(text: string, env: Variables): { text: string; replaced: boolean; faults: string[] } {
  const faults: string[] = []
  let replaced = false
  const result = text.replace(
    REFERENCE,
    (whole: string, name: string | undefined, operator: string | undefined, rest: string | undefined) => {
      if (whole === '$${') return '${'
      if (name === undefined) {
        faults.push('"${" begins no reference; write ${NAME}, ${NAME:-default} or ${NAME:?message}, or $${ for the characters themselves')
        return whole
      }
      const value = env.get(name)
      if (value !== undefined) {
        replaced = true
        return value
      }
      if (operator === '-') return rest ?? ''
      if (operator === '?') faults.push(`${name} is not set: ${rest === undefined || rest === '' ? 'it is required' : rest}`)
      else faults.push(`${name} is not set; set it, or write \${${name}:-} to allow that`)
      return ''
    },
  )
  return { text: result, replaced, faults }
}
