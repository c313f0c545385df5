import { MEMORY_MB, PROCESSES } from './program.js'

const MIB = 1024 * 1024
const NOBODY = 65534

/** One container, all in all. */
export interface Container {
  readonly image: string
  readonly name: string
  readonly command: readonly string[]
  /** Docker network; `none` for loopback alone. */
  readonly network: string
  /** Wall time after which the program is killed inside, whatever becomes of the gateway. */
  readonly seconds: number
  readonly runtime: string | null
  /** User of the gateway: files the program makes belong to it, unless that is root. */
  readonly uid: number
  readonly gid: number
}

/** Arguments of docker(1) for a program of a stranger, started in its job folder (a relative bind needs Docker 23). */
export function containerArgs({ image, name, command, network, seconds, runtime, uid, gid }: Container): string[] {
  const user = uid === 0 ? `${NOBODY}:${NOBODY}` : `${uid}:${gid}`
  return [
    ...['run', '--rm', '--init', '--name', name, '--pull', 'never', '--log-driver', 'none', '--no-healthcheck'],
    ...(runtime === null ? [] : ['--runtime', runtime]),
    ...['--network', network, '--ipc', 'none', '--cgroupns', 'private', '--hostname', 'sandbox'],
    ...['--read-only', '--tmpfs', '/tmp:rw,noexec,nosuid,size=256m', '--volume', '.:/job', '--workdir', '/job', '--user', user],
    ...['--memory', `${MEMORY_MB}m`, '--memory-swap', `${MEMORY_MB}m`, '--cpus', '1', '--pids-limit', String(PROCESSES)],
    ...['--ulimit', 'nofile=1024', '--ulimit', `fsize=${256 * MIB}`, '--ulimit', 'core=0'],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    ...['--env', 'HOME=/job', '--env', 'LANG=C.UTF-8', '--env', 'PYTHONPATH=/job/.pkgs', '--env', 'MPLBACKEND=Agg'],
    ...[image, 'timeout', '-s', 'KILL', String(seconds), ...command],
  ]
}
