import { isAbsolute, join } from 'node:path'
import type { Clock } from '../runtime/clock.js'
import type { BlobStore } from './blobs.js'
import { FolderBlobs } from './folder.js'
import { S3Blobs } from './s3/blobs.js'
import type { Transport } from '../outbound/types.js'

/** The dependencies of an object store. */
export interface ObjectStoreDeps {
  /** As configured; null where not set. */
  readonly credentials: {
    readonly accessKeyId: string | null
    readonly secretAccessKey: string | null
    readonly sessionToken: string | null
  }
  readonly transport: Transport
  readonly clock: Clock
}

/**
 * Opens the store that a setting names: `file:{folder}`, relative to the data folder, or `s3://bucket/prefix?region=…&endpoint=…`. Throws a
 * RangeError naming the setting or the missing credentials.
 */
export function openBlobs(setting: string, dataFolder: string, parts: () => ObjectStoreDeps): BlobStore {
  const folder = artifactsFolder(setting, dataFolder)
  if (folder !== null) return new FolderBlobs(folder)
  if (!setting.startsWith('s3:'))
    throw new RangeError('the artifacts setting (CAPSTAN_ARTIFACTS) is not valid: use file:{folder} or s3://bucket?region=…&endpoint=…')
  const { credentials, transport, clock } = parts()
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  if (accessKeyId === null || secretAccessKey === null) throw new RangeError(missingCredentials(setting, credentials) ?? '')
  return new S3Blobs(setting, {
    credentials: { accessKeyId, secretAccessKey, sessionToken },
    transport,
    clock,
    spoolFolder: join(dataFolder, 'spool'),
  })
}

/** The folder that `file:{folder}` names, relative to the data folder; null for any other setting. */
export function artifactsFolder(setting: string, dataFolder: string): string | null {
  const folder = /^file:(.+)$/.exec(setting)?.[1]
  if (folder === undefined) return null
  return isAbsolute(folder) ? folder : join(dataFolder, folder)
}

/** A sentence that names missing credentials of an object store; null where nothing is missing. */
export function missingCredentials(
  setting: string,
  { accessKeyId, secretAccessKey }: Omit<ObjectStoreDeps['credentials'], 'sessionToken'>,
) {
  if (!setting.startsWith('s3:') || (accessKeyId !== null && secretAccessKey !== null)) return null
  const variable = accessKeyId === null ? 'CAPSTAN_S3_ACCESS_KEY_ID' : 'CAPSTAN_S3_SECRET_ACCESS_KEY'
  return `the artifacts setting (CAPSTAN_ARTIFACTS) names an object store, but ${variable} is not set`
}
