import { Fault, type ExecResult } from '../../core/sdk/index.js'
import { PACKAGES_FILE, PACKAGES_FOLDER } from './program.js'

/** Time for resolving, downloading and unpacking all packages. */
export const INSTALL_MS = 60_000
/** MiB of installed packages. */
export const PACKAGES_MB = 200
/** MiB the install step may write: wheels, their contents and the archive. */
export const INSTALL_DISK_MB = 3 * PACKAGES_MB
const TOO_LARGE = 98
const NO_PIP = 99
const UNREACHED =
  "The package index could not be reached from the gateway's machine: leave packages out, or ask its operator to set pip_index of vendor bubblewrap."

/** Wheels only, so that no code of a package runs during the installation. Its arguments are pip's. */
const INSTALL = `python3 -m pip --version >/dev/null 2>&1 || exit ${NO_PIP}
python3 -m pip install --isolated --quiet --no-input --no-cache-dir --disable-pip-version-check --no-warn-script-location --no-compile --progress-bar off \
  --root-user-action ignore --retries 1 --timeout 15 --only-binary :all: --target ${PACKAGES_FOLDER} "$@" || exit $?
[ "$(du -sm ${PACKAGES_FOLDER} | cut -f1)" -le ${PACKAGES_MB} ] || exit ${TOO_LARGE}
GZIP=-1 exec tar -czf ${PACKAGES_FILE} -C ${PACKAGES_FOLDER} .`

/** Unpacks the archive of the install step and executes the program given as arguments. */
const UNPACK = `mkdir ${PACKAGES_FOLDER} && tar -xzf ${PACKAGES_FILE} -C ${PACKAGES_FOLDER} && rm -f ${PACKAGES_FILE} && exec "$@"`

/** Arguments of sh for the install step. Names were checked by the contract and follow `--`. */
export function installArgs(packages: readonly string[], index: string | null): string[] {
  const host = index?.startsWith('http:') === true ? ['--trusted-host', new URL(index).hostname] : []
  return ['-c', INSTALL, 'sh', ...(index === null ? [] : ['--index-url', index, ...host]), '--', ...packages]
}

/** Arguments of sh that unpack the packages before the program starts. */
export function unpackArgs(program: string, args: readonly string[]): string[] {
  return ['-c', UNPACK, 'sh', program, ...args]
}

/**
 * The archive created by the install step. Throws Fault `invalid` for unavailable packages, `missing` without pip,
 * `busy` when the index was not reached in time.
 */
export function archiveOf(result: ExecResult): Uint8Array {
  const stderr = Buffer.from(result.stderr).toString('utf8')
  const at = { loc: ['packages'], internal: stderr.slice(-1000) }
  if (result.stopped === 'time') throw new Fault('busy', `Installing the packages took longer than ${INSTALL_MS / 1000} s.`, at)
  if (result.code === NO_PIP || stderr.includes('No module named pip'))
    throw new Fault('missing', "Installing packages needs pip: on the gateway's machine, apt-get install python3-pip", {
      ...at,
      unavailable: true,
    })
  if (result.code === TOO_LARGE || stderr.includes('No space left on device'))
    throw new Fault('invalid', `The packages are larger than ${PACKAGES_MB} MiB.`, { ...at, costly: true })
  const archive = result.files.find(({ name }) => name === PACKAGES_FILE)
  if (result.code === 0 && archive !== undefined) return archive.data
  if (/ProxyError|NewConnectionError|ConnectTimeout|ReadTimeout|SSLError|Connection broken|Max retries/.test(stderr))
    throw new Fault('missing', UNREACHED, at)
  if (result.stopped !== null || result.code === 0)
    throw new Fault('busy', 'The packages could not be installed with the memory and disk there is.', at)
  throw refusedPackages(stderr)
}

/** A Fault `invalid` for the packages, with pip's own reason if it contains no address. */
export function refusedPackages(log: string): Fault {
  const reason =
    /^ERROR: ((?:No matching distribution|Could not find a version|Cannot install|ResolutionImpossible|Invalid requirement).*)$/m.exec(
      log,
    )?.[1]
  return new Fault('invalid', `The packages could not be installed${reason === undefined ? '' : `: ${reason.slice(0, 200)}`}.`, {
    loc: ['packages'],
    internal: log.slice(-1000),
  })
}
