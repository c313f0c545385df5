import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxHost, SandboxOptions } from './host.js'
import { isInside, refusal } from './view.js'
import { findProgram, programFolders } from './programs.js'
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { Cancel } from '../runtime/cancel.js'
import type { ExecResult } from '../sdk/index.js'
import { closedFolder } from './job-users.js'
import type { RunOptions, SandboxCheck, SandboxStatus } from './types.js'
import { runJob } from './run.js'

/** Languages of jobs. */
const LANGUAGES = ['node', 'python3', 'bash']
/** Most paths tested in one check; each costs a few processes inside. */
const MOST = 100

/** Host folders that are visible to a job in any language. */
function languageFolders(host: SandboxOptions): string[] {
  const programs = LANGUAGES.flatMap((name) => findProgram(name, host.programs(name)) ?? [])
  const folders = programs.flatMap((program) => programFolders(program, host.coveredFolders))
  return [...new Set(folders)].filter((folder) => refusal(host, folder) === null)
}

/** The paths that a job must not see while `shown` are visible: for a parent of a visible folder, its other entries. */
export function unseen(paths: readonly string[], shown: readonly string[]): string[] {
  const without = (path: string): string[] => {
    if (shown.includes(path)) return []
    return shown.some((folder) => isInside(folder, path)) ? entries(path).flatMap(without) : [path]
  }
  return [...new Set(paths.flatMap(without))].slice(0, MOST)
}

/** The entries of a folder; none when this process must not read it, since then a job must not either. */
function entries(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'ENOENT')) return []
    throw error
  }
}

const CHECK_MS = 10_000
const SHELL = '/bin/sh'
const CALL_FILES = 'call files'

/** One line per probe: its name, then `held` or the finding. `>>` opens without writing: holes are only detected. */
const ISOLATION = `
say() { if [ -z "$2" ]; then echo "$1 held"; else echo "$1 $2"; fi; }
seen=; for path in "$@"; do [ -z "$(cat "$path" 2>/dev/null | head -c 1; ls -A "$path/" 2>/dev/null | head -c 1)" ] || seen="$seen $path"; done
say files "$seen"
say network "$(tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' ' | grep -vx lo | tr '\\n' ' ')"
say capabilities "$(grep -E '^Cap(Eff|Prm|Bnd|Amb)' /proc/self/status | grep -v '0000000000000000' | tr '\\n\\t' '  ')"
say privileges "$(grep -qE '^NoNewPrivs:.1' /proc/self/status || echo NoNewPrivs is off)"
say syscalls "$(grep -qE '^Seccomp:.2' /proc/self/status || echo the filter is off)"
say namespaces "$(/usr/bin/unshare --user true 2>/dev/null && echo a new user namespace was made)"
writable=; for path in /proc/sys/kernel/core_pattern /proc/sys/vm/overcommit_memory /proc/sysrq-trigger /usr/x /x /dev/x; do (: >> "$path") 2>/dev/null && writable="$writable $path"; done
say kernel "$writable"
say environment "$(tr '\\0' '\\n' </proc/1/environ | grep -v '^PATH=' | cut -d= -f1 | tr '\\n' ' ')"
`
const UNHELD =
  '; warning: without a control group memory is not fully limited (socket buffers and other kernel memory are not counted): run the gateway in a delegated group (systemd: Delegate=yes) or as root, and see sandbox.without_groups'
const WHAT: Readonly<Record<string, string>> = {
  files: 'files of the host are not readable',
  network: 'there is no network',
  capabilities: 'there are no capabilities',
  privileges: 'no new privileges can be gained',
  syscalls: 'dangerous system calls are refused',
  namespaces: 'no user namespace can be created',
  kernel: 'kernel settings and the file system are read-only',
  environment: "the gateway's environment is not visible",
}

/**
 * Tests every guarantee of the sandbox on this machine. Isolation that does not hold, or files of calls that programs cannot read, make it
 * unavailable; limits that do not hold are only reported.
 */
export async function checkSandbox(host: SandboxHost): Promise<SandboxStatus> {
  const canaries = await mkdtemp(join(tmpdir(), 'capstan-check-'))
  try {
    // World-readable, so that only the isolation protects them, whatever the umask of the gateway.
    await writeFile(join(canaries, 'canary'), 'x')
    await Promise.all([chmod(canaries, 0o755), chmod(join(canaries, 'canary'), 0o644)])
    const [isolation, files, ...limits] = await Promise.all([
      checkIsolation(host, canaries),
      checkCallFiles(host, canaries),
      checkTime(host),
      checkMemory(host),
      checkProcesses(host),
      checkDisk(host),
    ])
    const checks = [...isolation, files, ...limits]
    const failed = checks.filter(({ ok, isolation: must }) => must && !ok)
    const version = await promisify(execFile)(host.bwrap, ['--version'], { env: { PATH: '/usr/bin:/bin' } })
    const detail =
      failed.length > 0
        ? failed.map(({ name, detail: why }) => (name === CALL_FILES ? why : `isolation does not hold: ${name} (${why})`)).join(', ')
        : describe(host, version.stdout.trim())
    return { live: failed.length === 0, detail, checks, memoryUnbounded: !host.groups.controllers.has('memory') }
  } finally {
    await rm(canaries, { recursive: true, force: true })
  }
}

function describe({ groups }: SandboxHost, version: string): string {
  const limits =
    groups.version === null ? 'rlimits and a memory watchdog only' : `cgroup v${groups.version} ${[...groups.controllers].join(', ')}`
  return `${version}, ${limits}${groups.controllers.has('memory') ? '' : UNHELD}`
}

async function checkIsolation(host: SandboxHost, canaries: string): Promise<SandboxCheck[]> {
  const readOnly = languageFolders(host)
  const paths = [
    '/etc/shadow',
    '/root',
    '/home',
    canaries,
    join(canaries, 'canary'),
    ...host.protectedPaths,
    ...(host.coveredFolders ?? []),
  ]
  const result = await probe(host, ['-c', ISOLATION, 'sh', ...unseen(paths, readOnly)], { readOnly })
  const text = typeof result === 'string' ? '' : Buffer.from(result.stdout).toString('utf8')
  const failure =
    typeof result === 'string' ? result : Buffer.from(result.stderr).toString('utf8').slice(0, 300) || 'the probe printed no result'
  return Object.entries(WHAT).map(([name, what]) => {
    const found = new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]
    return { name, ok: found === 'held', detail: found === 'held' ? what : (found ?? failure), isolation: true }
  })
}

/** Whether a program, as the user that it runs as, can read a file of a call. */
async function checkCallFiles(host: SandboxHost, folder: string): Promise<SandboxCheck> {
  const path = join(folder, 'canary')
  const files = {
    expose: () => Promise.resolve(path),
    read: () => Readable.from([]),
    write: () => Promise.reject(new TypeError('the check does not write files')),
  }
  const result = await probe(host, ['-c', 'cat < canary'], {
    files: [{ name: 'canary', data: { id: 'canary', size: 1 } }],
    callFiles: () => files,
  })
  const ok = typeof result !== 'string' && Buffer.from(result.stdout).equals(await readFile(path))
  return {
    name: CALL_FILES,
    ok,
    detail: ok ? 'programs can read the files of their call' : await unreadable(folder, result),
    isolation: true,
  }
}

async function unreadable(folder: string, result: ExecResult | string): Promise<string> {
  const closed = await closedFolder(folder)
  const found = typeof result === 'string' ? result : Buffer.from(result.stderr).toString('utf8').slice(0, 300)
  return closed === null
    ? `programs cannot read the files of their call below TMPDIR: ${found}`
    : `the users of jobs cannot enter ${closed}, below which files of calls lie: chmod o+x ${closed}, or set TMPDIR to another folder`
}

async function checkTime(host: SandboxHost): Promise<SandboxCheck> {
  const result = await probe(host, ['-c', 'sleep 5 & sleep 5'], { timeoutMs: 300 })
  return limit(
    'time',
    typeof result !== 'string' && result.stopped === 'time' && result.runMs < 2000,
    'programs are stopped when their time is over',
    result,
  )
}

async function checkMemory(host: SandboxHost): Promise<SandboxCheck> {
  const result = await probe(host, ['-c', 'x=0123456789abcdef; while :; do x=$x$x; done'], { memoryMb: 64, timeoutMs: 5000 })
  return limit(
    'memory',
    typeof result !== 'string' && result.code !== 0 && result.stopped !== 'time',
    'programs are stopped when they use too much memory',
    result,
  )
}

async function checkProcesses(host: SandboxHost): Promise<SandboxCheck> {
  const result = await probe(host, ['-c', 'for i in $(seq 200); do sleep 2 & done; exit 0'], { processes: 8, timeoutMs: 5000 })
  return limit(
    'processes',
    typeof result !== 'string' && result.code !== 0 && result.stopped !== 'time',
    'the number of processes is bounded',
    result,
  )
}

async function checkDisk(host: SandboxHost): Promise<SandboxCheck> {
  const script = 'for i in 1 2 3 4 5 6 7 8; do head -c 1000000 /dev/zero > $i || exit 1; done'
  const result = await probe(host, ['-c', script], { diskMb: 4, timeoutMs: 5000 })
  return limit(
    'disk',
    typeof result !== 'string' && result.code !== 0 && result.stopped !== 'time',
    'the size of all files together is bounded',
    result,
  )
}

function limit(name: string, ok: boolean, what: string, result: ExecResult | string): SandboxCheck {
  const found = typeof result === 'string' ? result : `code ${result.code}, stopped ${String(result.stopped)}`
  return { name, ok, detail: ok ? what : `does not hold: ${found}`, isolation: false }
}

/** The result, or the error message. */
async function probe(host: SandboxHost, args: readonly string[], options: RunOptions): Promise<ExecResult | string> {
  const cancel = new Cancel(host.clock, host.clock.monotonic() + CHECK_MS)
  try {
    return await runJob(host, { program: SHELL, args }, { memoryMb: 128, diskMb: 16, ...options }, cancel)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return 'internal' in error && typeof error.internal === 'string' ? error.internal : error.message
  }
}
