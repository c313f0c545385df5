import { withStreamedFiles } from '../../core/sdk/index.js'
import { MAX_FILES, MEMORY_MB, PROCESSES } from './program.js'

const MIB = 1024 * 1024
const NOBODY = 65534

/** One container. */
interface Container {
  readonly image: string
  readonly name: string
  readonly command: readonly string[]
  /** Docker network; `none` for loopback alone. */
  readonly network: string
  /** Wall time after which the program is killed inside, even if the gateway is gone. */
  readonly seconds: number
  readonly runtime: string | null
  /** MiB of the folder for the program and its output. */
  readonly diskMb: number
}

/**
 * Arguments of docker(1) for an untrusted program. Nothing of the host is mounted: its folder is a tmpfs, counted as
 * memory of the container, and files are transferred over its standard streams. Docker mounts a tmpfs noexec by
 * default.
 */
export function containerArgs({ image, name, command, network, seconds, runtime, diskMb }: Container): string[] {
  const memory = `${MEMORY_MB + diskMb}m`
  const job = `/job:rw,exec,nosuid,nodev,mode=1777,size=${diskMb}m,nr_inodes=${MAX_FILES}`
  return [
    ...['run', '--rm', '--interactive', '--init', '--name', name, '--pull', 'never', '--log-driver', 'none', '--no-healthcheck'],
    ...(runtime === null ? [] : ['--runtime', runtime]),
    ...['--network', network, '--ipc', 'none', '--cgroupns', 'private', '--hostname', 'sandbox'],
    ...['--read-only', '--tmpfs', '/tmp:rw,noexec,nosuid,size=256m', '--tmpfs', job],
    ...['--workdir', '/job', '--user', `${NOBODY}:${NOBODY}`],
    ...['--memory', memory, '--memory-swap', memory, '--cpus', '1', '--pids-limit', String(PROCESSES)],
    ...['--ulimit', 'nofile=1024', '--ulimit', `fsize=${256 * MIB}`, '--ulimit', 'core=0'],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    ...['--env', 'HOME=/job', '--env', 'LANG=C.UTF-8', '--env', 'PYTHONPATH=/job/.pkgs', '--env', 'MPLBACKEND=Agg'],
    ...[image, ...withStreamedFiles(['timeout', '-s', 'KILL', String(seconds), ...command])],
  ]
}
