import type { FileKind } from '../../sdk/index.js'

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.'
/** Kinds by the folder of entries in an Office Open XML document (ECMA-376). */
const BY_FOLDER: readonly (readonly [string, FileKind])[] = [
  ['word/', { contentType: `${OPEN_XML}wordprocessingml.document`, extension: 'docx' }],
  ['xl/', { contentType: `${OPEN_XML}spreadsheetml.sheet`, extension: 'xlsx' }],
  ['ppt/', { contentType: `${OPEN_XML}presentationml.presentation`, extension: 'pptx' }],
]
/** Kinds by the name of a stream in the older formats (MS-DOC, MS-XLS, MS-PPT). */
const BY_STREAM: readonly (readonly [string, FileKind])[] = [
  ['WordDocument', { contentType: 'application/msword', extension: 'doc' }],
  ['Workbook', { contentType: 'application/vnd.ms-excel', extension: 'xls' }],
  ['PowerPoint Document', { contentType: 'application/vnd.ms-powerpoint', extension: 'ppt' }],
]
const ENTRY = Buffer.from('PK\x03\x04', 'latin1')
const NAME_LENGTH_AT = 26
const NAME_AT = 30

/**
 * The kind of an office document whose signature is only that of its container. A document cut before its list of contents, which many
 * programs write last, is detected by the names of its first entries. Null for anything else.
 */
export function officeKind(head: Uint8Array, signed: FileKind | null): FileKind | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length)
  if (signed?.extension === 'cfb') return BY_STREAM.find(([stream]) => bytes.includes(Buffer.from(stream, 'utf16le')))?.[1] ?? null
  if (!bytes.subarray(0, ENTRY.length).equals(ENTRY) || (signed !== null && signed.extension !== 'zip')) return null
  const names = entryNames(bytes)
  // An archive may contain anything; the first entry of a document is characteristic.
  if (!/^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|word\/|xl\/|ppt\/)/.test(names[0] ?? ''))
    return signed ?? { contentType: 'application/zip', extension: 'zip' }
  const found = BY_FOLDER.find(([folder]) => names.some((name) => name.startsWith(folder)))
  return found?.[1] ?? signed ?? { contentType: 'application/zip', extension: 'zip' }
}

/** Names in the headers of entries (APPNOTE 4.3.7). */
function entryNames(bytes: Buffer): string[] {
  const names: string[] = []
  for (let at = bytes.indexOf(ENTRY); at !== -1 && at + NAME_AT <= bytes.length; at = bytes.indexOf(ENTRY, at + NAME_AT)) {
    const length = bytes.readUInt16LE(at + NAME_LENGTH_AT)
    names.push(bytes.toString('latin1', at + NAME_AT, at + NAME_AT + length))
  }
  return names
}

/** The kind of a file by the signature in its first bytes; null without a known one. */
export async function signedKind(head: Uint8Array): Promise<FileKind | null> {
  const { fileTypeFromBuffer } = await import('file-type')
  try {
    const found = await fileTypeFromBuffer(head)
    return found === undefined ? null : { contentType: found.mime.split(';', 1)[0]?.trim() ?? '', extension: found.ext.toLowerCase() }
  } catch (error) {
    // A parser error means that the kind is unknown.
    if (error instanceof Error) return null
    throw error
  }
}
