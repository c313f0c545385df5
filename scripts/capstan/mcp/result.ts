import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import type { Artifacts } from '../../../core/files/artifacts.js'
import { type AnswerFile, filesOf, withoutLongBytes } from '../answer-files.js'
import { Problem } from '../../../core/problems/problem.js'
import { Fault } from '../../../core/sdk/fault.js'
import { parseUrl } from '../../../core/sdk/url.js'
import { isRecord } from '../../../core/sdk/json.js'

/** About 10,000 tokens of text: longer results are cut, with a link to the whole. */
export const MOST_CHARACTERS = 40_000
/** Bytes of a file that is included; larger ones are linked. */
const MOST_BYTES = 1 << 20

interface Files {
  readonly artifacts: Pick<Artifacts, 'put' | 'openLink'>
  readonly account: string
}

/**
 * The result of a call by its envelope. Success: files up to `MOST_BYTES` as such, larger ones as links, the data as structured content and as
 * JSON text; a text above `MOST_CHARACTERS` is cut and the whole stored for an hour as a linked file. Failure: what to do, as an error that the
 * model reads.
 */
export async function toolResult(envelope: unknown, files: Files): Promise<CallToolResult> {
  const { success, data, error, metadata, credits_used } = isRecord(envelope) ? envelope : {}
  const about = isRecord(metadata) ? metadata : {}
  const _meta = {
    ...{ 'capstan/credits_used': credits_used ?? 0, 'capstan/request_id': about.request_id ?? null },
    ...(about.credits_balance === undefined ? {} : { 'capstan/balance': about.credits_balance }),
  }
  if (success !== true) return { content: [{ type: 'text', text: failureText(envelope) }], ...structured({ error }), isError: true, _meta }
  const found = filesOf(data)
  const media = (await Promise.all(found.map((file) => content(file, files)))).filter((each) => each !== null)
  const shown = withoutLongBytes(data, 'it is included as a file')
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown)
  const notes = Array.isArray(about.notes) ? about.notes.filter((note) => typeof note === 'string') : []
  const said: ContentBlock[] = notes.length === 0 ? [] : [{ type: 'text', text: `Notes: ${notes.join(' ')}` }]
  if (text.length <= MOST_CHARACTERS) return { content: [{ type: 'text', text }, ...said, ...media], ...structured(shown), _meta }
  return { content: [...(await cut(text, typeof shown === 'string', files)), ...said, ...media], _meta }
}

function structured(value: unknown): { structuredContent?: Readonly<Record<string, unknown>> } {
  return isRecord(value) ? { structuredContent: value } : {}
}

/** Title, detail, and what to change, of a failed envelope in one text. */
export function failureText(envelope: unknown): string {
  const { error, detail: validation } = isRecord(envelope) ? envelope : {}
  const { title, detail, alternative_action, retry_after_seconds } = isRecord(error) ? error : {}
  const faults = Array.isArray(validation)
    ? validation.map((each) => (isRecord(each) ? `${pathOf(each.loc)}: ${String(each.msg)}` : ''))
    : []
  const parts = [
    `${typeof title === 'string' ? title : 'The call failed'}.`,
    ...(typeof detail === 'string' ? [detail] : []),
    ...(faults.length > 0 ? [faults.join('; ')] : []),
    ...(typeof alternative_action === 'string' ? [alternative_action] : []),
    ...(typeof retry_after_seconds === 'number' ? [`Try again in ${retry_after_seconds} s.`] : []),
  ]
  return parts.join(' ')
}

function pathOf(loc: unknown): string {
  return Array.isArray(loc) ? loc.filter((part) => part !== 'body').join('.') : ''
}

async function cut(text: string, isText: boolean, files: Files): Promise<ContentBlock[]> {
  const [name, mimeType] = isText ? ['result.txt', 'text/plain'] : ['result.json', 'application/json']
  const shown = `${text.slice(0, MOST_CHARACTERS)}\n… (cut after ${MOST_CHARACTERS} of ${text.length} characters; the link has the whole for an hour)`
  return [{ type: 'text', text: shown }, await stored(Buffer.from(text), { name, mimeType }, files)]
}

/** A file kept for an hour, as a link; where it cannot be kept, a text that says why, because the call is paid. */
async function stored(
  bytes: Uint8Array,
  { name, mimeType }: { readonly name: string; readonly mimeType: string },
  { artifacts, account }: Files,
): Promise<ContentBlock> {
  try {
    const { url } = await artifacts.put(account, bytes, { name, contentType: mimeType })
    return { type: 'resource_link', uri: url, name, mimeType, size: bytes.length }
  } catch (error) {
    if (!(error instanceof Problem) && !Fault.is(error)) throw error
    return { type: 'text', text: `${name} of ${bytes.length} bytes could not be kept: ${error.message}` }
  }
}

async function content({ path, base64, link }: AnswerFile, files: Files): Promise<ContentBlock | null> {
  if (base64 === undefined) return link === undefined ? null : await linked(link, files.artifacts)
  const bytes = Buffer.from(base64, 'base64')
  const { fileTypeFromBuffer } = await import('file-type')
  const { mime, ext } = (await fileTypeFromBuffer(bytes)) ?? { mime: 'application/octet-stream', ext: 'bin' }
  if (bytes.length <= MOST_BYTES)
    return medium(mime, base64) ?? { type: 'resource', resource: { uri: `capstan:${path}`, mimeType: mime, blob: base64 } }
  const name = `${path.replace(/(?:^|\.)(?:\w+_base64|b64_json)$/, '').replaceAll('.', '-') || 'file'}.${ext}`
  return await stored(bytes, { name, mimeType: mime }, files)
}

/** A picture or sound of at most `MOST_BYTES` as such, any other file as a link. */
async function linked(link: string, artifacts: Files['artifacts']): Promise<ContentBlock> {
  // A page may hold links that have expired, which are no fault of the call.
  const file = await artifacts.openLink(link).catch((error: unknown) => {
    if (Fault.is(error)) return null
    throw error
  })
  const name = decodeURIComponent(parseUrl(link)?.pathname.split('/').at(-1) ?? '')
  if (file === null) return { type: 'resource_link', uri: link, name }
  const { record, size, body } = file
  const chunks: Uint8Array[] = []
  for await (const chunk of body) {
    if (size > MOST_BYTES || !/^(?:image|audio)\//.test(record.content_type)) break
    chunks.push(chunk)
  }
  const included = chunks.length === 0 ? null : medium(record.content_type, Buffer.concat(chunks).toString('base64'))
  return included ?? { type: 'resource_link', uri: link, name: record.name, mimeType: record.content_type, size }
}

function medium(mimeType: string, data: string): ContentBlock | null {
  const [kind] = mimeType.split('/', 1)
  return kind === 'image' ? { type: 'image', data, mimeType } : kind === 'audio' ? { type: 'audio', data, mimeType } : null
}
