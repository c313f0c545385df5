import { Cancel } from '../../core/cancel.js'
import { systemClock } from '../../core/clock.js'
import type { Sandbox } from '../../core/exec/types.js'
import { ScratchFolder } from '../../core/files/scratch-folder.js'
import type { Services } from '../../core/sdk/index.js'
import { pictureFiles, type PictureFiles } from '../../plugins/browser/pictures/files.js'

const CALL_MS = 60_000
const MOST_BYTES = 1024 * 1024 * 1024

/** Where the bands of pictures lie outside a call: in a folder of their own, joined in the real sandbox. */
export function testPictureFiles(sandbox: Sandbox): PictureFiles & { close(): Promise<void> } {
  const folder = new ScratchFolder(MOST_BYTES)
  const scratch = {
    write: (data: Uint8Array) => folder.write([data]),
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
  return { ...pictureFiles({ scratch, parseFiles }), close: () => folder.close() }
}
