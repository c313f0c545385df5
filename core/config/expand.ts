import type { Environment } from './variables.js'

const REFERENCE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::([-?])([^}]*))?\}|\$\{/g

/**
 * Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}`; `$${` is an escaped `${`. Replacements are not
 * expanded again. Faults are sentences: a variable that is not set, or an invalid reference.
 */
export function expand(text: string, env: Environment): { text: string; replaced: boolean; faults: string[] } {
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
