import { existsSync, mkdirSync } from 'node:fs'
import { chmod, chown, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bwrapArgs, SANDBOX_PATH } from './bwrap-args.js'
import type { SandboxHost } from './host.js'
import { browserScript } from './inner-script.js'
import { takeLease, type UserLease } from './lease.js'
import type { JobLimits } from './limits.js'
import { NO_NETWORK, proxiedNetwork } from './network.js'
import { programFolders } from './programs.js'
import { killQuietly } from './spawned.js'
import type { LauncherOptions } from './types.js'
import { shownFolders } from './view.js'
import { treeMemory, watch } from './watchdog.js'

/** A text as one word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Text for `eval`: exports the variables, and makes the words "$@". */
export function wordsText(words: readonly string[], env: Readonly<Record<string, string>>): string {
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}\n`)
  return `${exports.join('')}set -- ${words.map(quote).join(' ')}`
}

export interface Launcher {
  readonly path: string
  /** Releases the user and the control group. */
  readonly close: () => void
}

/** A browser with its renderers; a page that needs more loses its renderer, or the browser is restarted. */
const LIMITS: JobLimits = { memoryMb: 2048, processes: 1024, diskMb: 512, timeoutMs: 0 }
const SHARED_MB = 256
const PROFILE = '/job/profile'

/** Writes the script. Under root it changes to its own user before bwrap, and that user becomes the owner of the writable folders. */
export async function makeLauncher(host: SandboxHost, program: string, options: LauncherOptions): Promise<Launcher> {
  const lease = takeLease(host, LIMITS, 'many')
  try {
    return await written(host, lease, { program, options })
  } catch (error) {
    lease.done()
    throw error
  }
}

async function written(
  host: SandboxHost,
  lease: UserLease,
  { program, options }: { program: string; options: LauncherOptions },
): Promise<Launcher> {
  const network = options.proxied === true ? await proxiedNetwork(host, lease.uid) : NO_NETWORK
  const readOnly = shownFolders(host, [...programFolders(program, host.coveredFolders), ...network.readOnly, ...(options.readOnly ?? [])])
  const { FORWARDER, FORWARDER_CODE } = network.env
  const args = bwrapArgs({
    shareNet: options.proxied !== true,
    noUserNamespaces: false,
    diskMb: LIMITS.diskMb,
    sharedMb: SHARED_MB,
    readOnly,
    writable: shownFolders(host, options.writable),
    hidden: [...host.protectedPaths, ...(host.coveredFolders ?? [])],
    files: [],
    mounted: [],
    socket: network.socket,
    env: {
      PATH: SANDBOX_PATH,
      HOME: '/job',
      TMPDIR: '/tmp',
      LANG: 'C.UTF-8',
      ...(FORWARDER === undefined || FORWARDER_CODE === undefined ? {} : { FORWARDER, FORWARDER_CODE }),
    },
  })
  const [argsFile, filterFile, path] = ['bwrap-args', 'seccomp', 'launch'].map((name) => join(options.folder, name))
  if (argsFile === undefined || filterFile === undefined || path === undefined) throw new Error('unreachable: three names give three paths')
  const { uid } = lease
  const running = host.groups.controllers.has('memory') ? null : runningFolder(options.folder)
  if (uid !== null) await Promise.all(options.writable.map((folder) => chown(folder, uid, uid)))
  await writeFile(argsFile, `${args.join('\0')}\0`)
  await writeFile(filterFile, host.seccomp.browser)
  await writeFile(
    path,
    script({
      argsFile,
      filterFile,
      uid,
      bwrap: host.bwrap,
      groups: lease.group?.folders ?? [],
      running,
      program,
      writable: options.writable,
      inner: browserScript(network.socket !== null),
    }),
  )
  await chmod(path, 0o700)
  const unwatch = running === null ? null : watchLaunched(host, running, host.launchedMemoryMb ?? LIMITS.memoryMb)
  return {
    path,
    close: () => {
      unwatch?.()
      lease.done()
    },
  }
}

interface ScriptParts {
  readonly argsFile: string
  readonly filterFile: string
  readonly uid: number | null
  readonly bwrap: string
  readonly groups: readonly string[]
  /** Folder in which the script records its process id, which exec keeps; null where a group limits its memory. */
  readonly running: string | null
  readonly program: string
  readonly writable: readonly string[]
  readonly inner: string
}

/**
 * The script. It does not pass on its environment (the caller's, with secrets) and closes descriptors except 0 to 4. A profile folder
 * of the caller outside the writable folders is replaced by one inside, which is deleted with the browser.
 */
function script(parts: ScriptParts): string {
  const bash = existsSync('/bin/bash')
  const close = bash
    ? 'for path in /proc/$$/fd/*; do fd=${path##*/}; case $fd in [0-4]|255) ;; *) eval "exec $fd>&-" ;; esac; done'
    : 'exec 5>&- 6>&- 7>&- 8>&- 9>&-'
  const keep = parts.writable.flatMap((folder) => [`--user-data-dir=${quote(folder)}`, `--user-data-dir=${quote(folder)}/*`])
  const drop = parts.uid === null ? [] : ['/usr/bin/setpriv', `--reuid=${parts.uid}`, `--regid=${parts.uid}`, '--clear-groups']
  return [
    bash ? '#!/bin/bash' : '#!/bin/sh',
    'set -eu',
    close,
    ...parts.groups.map((folder) => `echo $$ >${quote(join(folder, 'cgroup.procs'))}`),
    ...(parts.running === null ? [] : [`: >${quote(parts.running)}/$$`]),
    'count=$#',
    'while [ "$count" -gt 0 ]; do',
    '  case $1 in',
    ...(keep.length > 0 ? [`    ${keep.join('|')}) set -- "$@" "$1" ;;`] : []),
    `    --user-data-dir=*) set -- "$@" --user-data-dir=${PROFILE} ;;`,
    '    *) set -- "$@" "$1" ;;',
    '  esac',
    '  shift',
    '  count=$((count - 1))',
    'done',
    'cd /',
    `exec /usr/bin/env -i PATH=/usr/bin:/bin ${[...drop, parts.bwrap].map(quote).join(' ')} --args 9 --seccomp 8 -- /bin/sh -c ${quote(parts.inner)} sh ${quote(parts.program)} "$@" 8<${quote(parts.filterFile)} 9<${quote(parts.argsFile)}`,
    '',
  ].join('\n')
}

const SCAN_MS = 200
const MIB = 1024 * 1024

interface Watched {
  readonly birth: string
  readonly stop: () => void
}

/** The folder below `folder` in which a launcher's script creates an empty file named after its process id. */
function runningFolder(folder: string): string {
  const path = join(folder, 'running')
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return path
}

/**
 * Watches the programs that a launcher started, on machines without a memory group: a process tree that uses more than `memoryMb` is
 * killed. The returned function ends the watch, which also ends with the folder.
 */
export function watchLaunched(host: SandboxHost, folder: string, memoryMb: number): () => void {
  const watched = new Map<number, Watched>()
  const most = memoryMb * MIB
  let busy = false
  let unread = false
  const scan = async (): Promise<void> => {
    let pids: string[]
    try {
      pids = await readdir(folder)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return end()
      // Such as a lack of descriptors: known programs stay watched, and the next attempt may succeed.
      if (!unread)
        host.log('launched programs could not be listed: the memory of new ones is not limited meanwhile', { error: String(error) })
      unread = true
      return
    }
    unread = false
    for (const pid of pids.map(Number)) {
      const birth = await birthOf(pid)
      const known = watched.get(pid)
      // Never a process that has reused the id of an ended one.
      if (known !== undefined && known.birth !== birth) known.stop()
      if (known !== undefined || birth === null) continue
      const onOver = (): void => {
        host.log('a launched program was killed: it exceeded its memory limit', { pid, memoryMb })
        killQuietly(pid)
      }
      watched.set(pid, { birth, stop: watch(host.clock, () => treeMemory(pid, most / 2), most, onOver) })
    }
  }
  const stopScanning = host.clock.every(SCAN_MS, () => {
    if (busy) return
    busy = true
    void scan().finally(() => (busy = false))
  })
  const end = (): void => {
    stopScanning()
    for (const { stop } of watched.values()) stop()
  }
  return end
}

/** Start time of a process, in ticks since boot (proc(5): stat); null when it has ended. */
async function birthOf(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null
}
