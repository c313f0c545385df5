import { isRecord } from '../../core/sdk/json.js'
import { parseUrl } from '../../core/sdk/url.js'

/** Base64 text from this length on is not shown. */
const LONG = 1_000
/** Fields that hold the bytes of a file in base64. */
const INLINE = /(?:_base64|^b64_json)$/

/** A file within an answer: its bytes in base64, or a link to it. */
export interface AnswerFile {
  /** Its path in the answer, such as `output_files.0.content_base64`. */
  readonly path: string
  readonly base64?: string
  readonly link?: string
  /** The fields beside it, which may name it. */
  readonly around: Readonly<Record<string, unknown>>
}

/** The files of an answer. One that a record includes both ways, alone, is taken by its bytes. */
export function filesOf(data: unknown, path: readonly string[] = []): AnswerFile[] {
  if (Array.isArray(data)) return data.flatMap((each, at) => filesOf(each, [...path, String(at)]))
  if (!isRecord(data)) return []
  const found = Object.entries(data).flatMap(([name, value]): AnswerFile[] => {
    const at = [...path, name]
    if (typeof value !== 'string') return filesOf(value, at)
    if (INLINE.test(name) && value !== '') return [{ path: at.join('.'), base64: value, around: data }]
    return (name === 'url' || name.endsWith('_url')) && isFileLink(value) ? [{ path: at.join('.'), link: value, around: data }] : []
  })
  const inline = found.filter(({ base64, around }) => base64 !== undefined && around === data)
  return inline.length === 1 && found.length === 2 && found.every(({ around }) => around === data) ? inline : found
}

/** The same data with long base64 texts of files replaced by their length; `advice` says how to get the file. */
export function withoutLongBytes(data: unknown, advice: string): unknown {
  if (Array.isArray(data)) return data.map((each) => withoutLongBytes(each, advice))
  if (!isRecord(data)) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === 'string' && INLINE.test(name) && value.length > LONG
        ? `(${value.length} characters of base64; ${advice})`
        : withoutLongBytes(value, advice),
    ]),
  )
}

/** True for a link of a gateway to a file. */
function isFileLink(text: string): boolean {
  const url = /^https?:/.test(text) ? parseUrl(text) : null
  if (url === null) return false
  const { pathname, searchParams } = url
  return /\/files\/[^/]+\/[^/]+$/.test(pathname) && searchParams.has('signature')
}
