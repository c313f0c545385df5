import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ConfigError } from '../problems/errors.js'
import { closedFolder } from '../exec/job-users.js'
import type { Log } from '../runtime/log-events.js'
import { socketLockState, takeSocketLock } from '../runtime/sockets.js'

const NAME = /^capstan-[A-Za-z0-9]{6}$/
const LOCK = 'lock'
/** A folder without a lock counts as being created until this age, in milliseconds. */
const MAKING_MS = 60_000

/** Most bytes of the parent's path: a Unix socket below it must stay within 107 (unix(7): sun_path). */
const LONGEST_PARENT = 75

/** A folder for all temporary files of this process. */
interface TemporaryFolder {
  readonly path: string
  /** Deletes it with its content. */
  close(): Promise<void>
}

/**
 * Creates a folder in `parent` and deletes those that killed processes of this user left there. Folders of live
 * processes stay, including invisible ones such as of other containers. Throws ConfigError when it cannot be created.
 */
export async function openTemporaryFolder(parent: string, log: Log): Promise<TemporaryFolder> {
  await sweepTemporaryFolders(parent, log)
  let made: string | null = null
  try {
    if (Buffer.byteLength(parent) > LONGEST_PARENT) throw new Error('too long')
    const path = await mkdtemp(join(parent, 'capstan-'))
    made = path
    // Programs run as separate users and must be able to enter the folder.
    await chmod(path, 0o711)
    const lock = await takeSocketLock(join(path, LOCK))
    return {
      path,
      close: async () => {
        await rm(path, { recursive: true, force: true })
        lock.close()
      },
    }
  } catch (error) {
    if (made !== null) await rm(made, { recursive: true, force: true })
    const why = error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.message : String(error)
    const message = `no folder for temporary files can be used in ${parent} (${why}): name another one, with at most ${LONGEST_PARENT} characters`
    throw new ConfigError([{ where: 'TMPDIR', message, level: 'error' }])
  }
}

/**
 * Sets a new folder as `os.tmpdir()` of this process, for libraries too, such as the browser's driver. `close` deletes
 * it. It is created in `usual` where the users of jobs cannot enter the folder that TMPDIR names. Throws as
 * `openTemporaryFolder`.
 */
export async function useTemporaryFolder(log: Log, usual = '/tmp'): Promise<TemporaryFolder> {
  const parent = tmpdir()
  const folder = await openTemporaryFolder(await enterable(resolve(parent), usual, log), log)
  process.env['TMPDIR'] = folder.path
  return {
    path: folder.path,
    close: async () => {
      process.env['TMPDIR'] = parent
      await folder.close()
    },
  }
}

/** `wanted`, or `usual` when the users of jobs can enter only that one. */
async function enterable(wanted: string, usual: string, log: Log): Promise<string> {
  const closed = await closedFolder(wanted).catch(() => null)
  if (closed === null) return wanted
  const used = (await closedFolder(usual).catch(() => usual)) === null ? usual : wanted
  const message = `TMPDIR=${wanted} cannot be entered by the users of jobs: chmod o+x ${closed}, or set TMPDIR to another folder`
  log('temporary-folder-closed', message, { path: used })
  return used
}

async function sweepTemporaryFolders(parent: string, log: Log): Promise<void> {
  let names: string[] = []
  try {
    names = await readdir(parent)
  } catch (error) {
    log('temporary-folder-left', 'folders left by killed gateways could not be searched', { path: parent, error: String(error) })
  }
  for (const path of names.filter((name) => NAME.test(name)).map((name) => join(parent, name))) {
    try {
      if (await isLeft(path)) await rm(path, { recursive: true, force: true })
    } catch (error) {
      log('temporary-folder-left', 'a folder left by a killed gateway could not be deleted', { path, error: String(error) })
    }
  }
}

/** Only folders of this user: another user could change a folder while it is deleted. */
async function isLeft(path: string): Promise<boolean> {
  const about = await lstat(path).catch(() => null)
  if (about === null || !about.isDirectory() || about.uid !== process.geteuid?.()) return false
  const state = await socketLockState(join(path, LOCK))
  return state === 'left' || (state === 'missing' && Date.now() - about.mtimeMs > MAKING_MS)
}
