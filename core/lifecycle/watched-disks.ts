import { tmpdir } from 'node:os'
import type { WatchedDisk } from '../runtime/disk-watch.js'
import type { BlobStore } from '../files/blobs.js'
import { freeBytes, lacksReserve } from '../files/disk.js'
import type { Store } from '../store/types.js'

/** The local folders that a gateway writes to: ledger and files, unless stored remotely, and temporary files. */
export function watchedDisks(store: Pick<Store, 'disk'>, blobs: Pick<BlobStore, 'folder'>): WatchedDisk[] {
  const { disk } = store
  const own = (part: 'files' | 'temporary', folder: string): WatchedDisk => ({
    part,
    folder,
    free: () => freeBytes(folder),
    full: () => lacksReserve(folder),
  })
  return [
    ...(disk === undefined
      ? []
      : [{ part: 'ledger' as const, folder: disk.folder, free: () => freeBytes(disk.folder), full: () => disk.full() }]),
    ...(blobs.folder === undefined ? [] : [own('files', blobs.folder)]),
    own('temporary', tmpdir()),
  ]
}
