import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FolderBlobs } from '../../../core/files/folder.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { blobsOn, operatorHttp, S3Server } from '../../support/s3.js'
import { TemporaryFolder } from '../../support/store.js'
import { blobConformance } from './blob-conformance.js'

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

blobConformance('a folder', () => {
  const folder = new TemporaryFolder()
  return Promise.resolve({
    blobs: new FolderBlobs(folder.path),
    names: () => Promise.resolve(filesIn(folder.path)),
    close: () => Promise.resolve(folder.remove()),
  })
})

blobConformance('a bucket whose server verifies every signature', async () => {
  const server = await new S3Server(systemClock).start()
  const folder = new TemporaryFolder()
  const transport = operatorHttp(systemClock)
  return {
    blobs: blobsOn(server, { transport, clock: systemClock, spoolFolder: join(folder.path, 'spool') }),
    names: async () => [...(await server.keys()), ...filesIn(folder.path)],
    close: async () => {
      await transport.close()
      await server.close()
      folder.remove()
    },
  }
})
