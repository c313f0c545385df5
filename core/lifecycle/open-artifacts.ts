import type { Clock } from '../runtime/clock.js'
import type { Config } from '../config/types.js'
import { ConfigError } from '../problems/errors.js'
import type { Log } from '../runtime/log-events.js'
import { BlobsUnusable, type BlobStore } from '../files/blobs.js'
import { openBlobs } from '../files/open.js'
import type { Transport } from '../outbound/types.js'

/** Dependencies of the artifact storage. */
interface ArtifactsOptions {
  readonly transport: Transport
  readonly clock: Clock
}

/** The artifact storage that the settings select. Throws ConfigError naming the setting. */
export function artifactBlobs(config: Config, { transport, clock }: ArtifactsOptions): BlobStore {
  const { artifacts, data, s3 } = config.settings
  const credentials = { accessKeyId: s3.access_key_id, secretAccessKey: s3.secret_access_key, sessionToken: s3.session_token }
  try {
    return openBlobs(artifacts, data, () => ({ credentials, transport, clock }))
  } catch (error) {
    throw error instanceof RangeError ? unusable(config, error.message) : error
  }
}

/** The same with a check: a permanent fault stops the start, a temporarily unavailable object store does not. */
export async function openArtifacts(config: Config, about: ArtifactsOptions & { log: Log }): Promise<BlobStore> {
  const blobs = artifactBlobs(config, about)
  try {
    await blobs.check()
  } catch (error) {
    if (!(error instanceof BlobsUnusable)) throw error
    if (!error.transient) throw unusable(config, error.message)
    about.log('artifacts-away', `files cannot be stored at the moment: ${error.message}`)
  }
  return blobs
}

function unusable(config: Config, message: string): ConfigError {
  return new ConfigError([{ where: config.variable('artifacts'), message, level: 'error' }])
}
