const PARAMETER = /[ \t]*;[ \t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\\r\n]|\\[^\r\n])*)"|([^\s;"]*)))?/y

/**
 * A header's value and its parameters by lower-case name, the first of each (RFC 9110, 5.6.6). A backslash in a quoted
 * string escapes only quotes and itself, since browsers do not escape those of a Windows path. Null for malformed ones.
 */
export function withParameters(text: string): { readonly value: string; readonly parameters: ReadonlyMap<string, string> } | null {
  const end = text.indexOf(';')
  const value = (end === -1 ? text : text.slice(0, end)).trim().toLowerCase()
  const parameters = new Map<string, string>()
  const pattern = new RegExp(PARAMETER)
  const given = text.trimEnd()
  for (let at = end === -1 ? given.length : end; at < given.length; at = pattern.lastIndex) {
    pattern.lastIndex = at
    const found = pattern.exec(given)
    if (found === null) return null
    const [, name, quoted, token = ''] = found
    const key = name?.toLowerCase()
    if (key !== undefined && !parameters.has(key)) parameters.set(key, quoted?.replace(/\\(["\\])/g, '$1') ?? token)
  }
  return { value, parameters }
}
