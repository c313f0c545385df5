import { isAbsolute, join } from 'node:path'
import type { BlobStore } from './blobs.js'
import { FolderBlobs } from './folder.js'

/** The place a setting names: `file:{folder}`, relative to the data folder. Throws a RangeError naming the setting. */
export function openBlobs(setting: string, dataFolder: string): BlobStore {
  const folder = /^file:(.+)$/.exec(setting)?.[1]
  if (folder !== undefined) return new FolderBlobs(isAbsolute(folder) ? folder : join(dataFolder, folder))
  if (setting.startsWith('s3:'))
    throw new RangeError('the artifacts setting names s3://, whose adapter is not part of this version: use file:{folder}')
  throw new RangeError('the artifacts setting is not understood: use file:{folder}, for example file:artifacts')
}
