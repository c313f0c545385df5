import { Cancel } from '../../core/runtime/cancel.js'
import { systemClock } from '../../core/runtime/clock.js'
import type { Sandbox } from '../../core/exec/types.js'
import { ScratchFolder } from '../../core/files/scratch-folder.js'
import type { ScratchFile, Services } from '../../core/sdk/index.js'
import { pictureFiles, type PictureFiles } from '../../plugins/browser/pictures/files.js'

const CALL_MS = 60_000
const MOST_BYTES = 1024 * 1024 * 1024

export interface TestPictureFiles extends PictureFiles {
  /** The bytes of a picture. */
  bytes(file: ScratchFile): Promise<Buffer>
  close(): Promise<void>
}

/** Where the bands of pictures lie outside a call: in a folder of their own, joined in the real sandbox. */
export function testPictureFiles(sandbox: Sandbox): TestPictureFiles {
  const folder = new ScratchFolder(MOST_BYTES)
  const scratch = {
    write: (data: Uint8Array | AsyncIterable<Uint8Array>) => folder.write(data instanceof Uint8Array ? [data] : data),
    read: (file: Parameters<ScratchFolder['read']>[0]) => folder.read(file),
    remove: (file: Parameters<ScratchFolder['remove']>[0]) => folder.remove(file),
  } as Services['scratch']
  const parseFiles = (async (module, files, options = {}) =>
    sandbox.parseFiles(
      module,
      files,
      { ...options, callFiles: folder },
      new Cancel(systemClock, systemClock.monotonic() + CALL_MS),
    )) as Services['parseFiles']
  const bytes = async (file: ScratchFile): Promise<Buffer> => {
    const chunks: Uint8Array[] = []
    for await (const chunk of folder.read(file)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  return { ...pictureFiles({ scratch, parseFiles }), bytes, close: () => folder.close() }
}
