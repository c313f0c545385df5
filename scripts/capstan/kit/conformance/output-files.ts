import { fileTypeFromBuffer } from 'file-type'
import type { ScratchFolder } from '../../../../core/files/scratch-folder.js'
import { isRecord } from '../../../../core/sdk/json.js'
import type { OutputFile, OutputFiles } from './expected.js'
import type { ScriptedFiles } from './scripted-files.js'

/** Reads the files that an output names, those of the call by their ids and stored ones by their links. */
export async function outputFiles(
  output: unknown,
  { folder, stored }: { readonly folder: ScratchFolder; readonly stored: ScriptedFiles['stored'] },
): Promise<OutputFiles> {
  const found = new Map<string, OutputFile>()
  for (const id of idsIn(output)) {
    const chunks: Uint8Array[] = []
    try {
      for await (const chunk of folder.read({ id, size: 0 })) chunks.push(chunk)
    } catch (error) {
      // A file that the provider has removed, or an id that is not of a file.
      if (error instanceof TypeError) continue
      throw error
    }
    found.set(id, await fileOf(Buffer.concat(chunks)))
  }
  for (const [id, { bytes }] of stored) found.set(id, await fileOf(bytes))
  return (value) => {
    if (isRecord(value) && typeof value.id === 'string') return found.get(value.id)
    const link = typeof value === 'string' ? /^https:\/\/files\.example\.com\/(file-\d+)\//.exec(value)?.[1] : undefined
    return link === undefined ? undefined : found.get(link)
  }
}

async function fileOf(bytes: Uint8Array): Promise<OutputFile> {
  return { bytes, kind: (await fileTypeFromBuffer(bytes))?.mime ?? null }
}

function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn)
  if (!isRecord(value)) return []
  const { id } = value
  return [...(typeof id === 'string' && /^[0-9a-f]{32}$/.test(id) ? [id] : []), ...Object.values(value).flatMap(idsIn)]
}
