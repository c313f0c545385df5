import { Problem } from '../../problems/problem.js'

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

/** The headers of a part of a form (RFC 7578). */
export interface PartHead {
  /** Of the field. */
  readonly name: string
  /** As sent; null for a part that is not a file. */
  readonly filename: string | null
}

const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\r\n]*)$/
const PLAIN = new Set(['', 'binary', '7bit', '8bit'])

/** Parses the headers of a part, without the empty line after them. Throws `malformed-request`. */
export function partHead(bytes: Buffer): PartHead {
  const headers = new Map<string, string>()
  for (const line of bytes.toString('utf8').split('\r\n')) {
    const [, name = '', value = ''] = HEADER.exec(line) ?? []
    if (name === '') throw malformed('a header of a part cannot be read')
    if (headers.has(name.toLowerCase())) throw malformed('a part has a header twice')
    headers.set(name.toLowerCase(), value.trim())
  }
  if (!PLAIN.has((headers.get('content-transfer-encoding') ?? '').toLowerCase()))
    throw malformed('a part is encoded (Content-Transfer-Encoding); send its bytes unencoded')
  const disposition = withParameters(headers.get('content-disposition') ?? '')
  const name = disposition?.parameters.get('name')
  if (disposition?.value !== 'form-data' || name === undefined) throw malformed('a part has no Content-Disposition: form-data with a name')
  return { name: unescaped(name), filename: filenameOf(disposition.parameters) }
}

/** `filename*` is not allowed in these forms, but some clients send it. */
function filenameOf(parameters: ReadonlyMap<string, string>): string | null {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(parameters.get('filename*') ?? '') ?? []
  const extended = encoded === undefined ? null : percentDecoded(encoded)
  if (extended !== null) return extended
  const name = parameters.get('filename')
  return name === undefined ? null : unescaped(name)
}

function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

/** Decodes only what browsers escape in names (WHATWG HTML, multipart form data). */
function unescaped(name: string): string {
  return name.replace(/%(22|0D|0A)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** The remedy for a body that is not a form. */
export const REMEDY = 'Send the file as the field "file" of a form, for example with curl -F file=@report.pdf.'

/** The refusal of a malformed form; `what` completes the sentence. */
export function malformed(what: string, cause?: unknown): Problem {
  const options = { action: REMEDY, ...(cause === undefined ? {} : { cause }) }
  return new Problem('malformed-request', `The multipart/form-data body cannot be read: ${what}.`, options)
}
