import { statfsSync } from 'node:fs'
import { statfs, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { codeOf } from '../problems/own-shortage.js'
import { Problem } from '../problems/problem.js'
import type { WatchedDisk } from '../runtime/disk-watch.js'
import type { Store } from '../store/types.js'
import type { BlobStore } from './blobs.js'

/** Bytes of the disk that artifacts leave free for the ledger. */
const RESERVE_BYTES = 512 * 1024 * 1024

/** Rejects with an `overloaded` problem when the disk of a folder is nearly full. */
export async function leaveReserve(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < RESERVE_BYTES)
    throw new Problem('overloaded', 'The gateway has no space left for files.', {
      retryAfterSeconds: 60,
      internal: `less than ${RESERVE_BYTES} bytes free at ${folder}`,
    })
}

/** Bytes that may still be written below a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Whether the disk of a folder is so full that files are refused. */
export function lacksReserve(folder: string): boolean {
  return freeBytes(folder) < RESERVE_BYTES
}

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

/** The error of a failed write for callers: an `overloaded` problem for a full disk, else the error itself. */
export function writeFailure(error: unknown): unknown {
  return diskFull(error)
    ? new Problem('overloaded', 'The gateway has no space left for files.', {
        retryAfterSeconds: 60,
        internal: codeOf(error),
        cause: error,
      })
    : error
}

/** Writes a whole chunk: a single write may be partial. */
export async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
}

function diskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
