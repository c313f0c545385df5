import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { StoreRefused, StoreUnavailable } from '../types.js'

/** What `copier` copies: a database into a new file, or, without a target, its log into itself. */
export interface CopyJob {
  readonly source: string
  readonly target: string | null
}

/**
 * Copies the file while it is in use, on a separate thread and connection; the target appears only when complete,
 * readable by its owner alone. Throws StoreRefused when the target exists or its folder does not. Returns the size in
 * bytes.
 */
export async function backup(source: string, target: string): Promise<{ bytes: number }> {
  if (existsSync(target)) throw new StoreRefused(`${target} already exists: name a new file`)
  if (!existsSync(dirname(target))) throw new StoreRefused(`the folder ${dirname(target)} does not exist: create it first`)
  const part = `${target}.part`
  rmSync(part, { force: true })
  const job: CopyJob = { source, target: part }
  try {
    makePrivate(part)
    await copied(job)
    renameSync(part, target)
  } finally {
    rmSync(part, { force: true })
  }
  return { bytes: statSync(target).size }
}

/** SQLite fills an existing empty file, which keeps its mode; one that it creates has 0644 less the umask. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    throw new StoreUnavailable(`the backup failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function copied(job: CopyJob): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./copier.js', import.meta.url), { workerData: job, name: 'backup' })
    worker.on('error', (error) => reject(new StoreUnavailable(`the backup failed: ${error.message}`)))
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new StoreUnavailable('the backup was interrupted'))))
  })
}
