import type { ProviderContext } from '../../core/sdk/index.js'
import type { Language } from './contract.js'
import { lineOf } from './program.js'
import { STREAM_BYTES } from './result.js'

const KEPT = STREAM_BYTES + 1
const TIME_CODE = 124
const KILLED = 137

/**
 * A bash script that runs the program with a wall time, passes on the first MiB of each stream and drops the rest,
 * and exits with the program's code, or 124 after the wall time. Nothing of it comes from the caller.
 */
export function cappedScript(language: Language, seconds: number): string {
  return [
    `set -o pipefail; cap() { head -c ${KEPT}; cat >/dev/null; }`,
    `{ { timeout -k 2 ${seconds} ${lineOf(language)}; } 2>&1 1>&3 3>&- | cap >&2 3>&-; } 3>&1 | cap`,
  ].join('\n')
}

/** A bash command that installs packages; their names were checked by the contract. */
export function pipLine(packages: readonly string[]): string {
  return `python3 -m pip install --quiet --no-input --disable-pip-version-check ${packages.map((name) => `'${name}'`).join(' ')}`
}

/** Whether a program ended by the wall time, judging by its run time and exit code. */
export function ranOut(code: number, runMs: number, seconds: number): boolean {
  return (code === TIME_CODE || code === KILLED) && runMs >= seconds * 1000
}

/** Deletes what was created at a vendor. A failure is only logged, because the result is final. */
export async function cleanUp(context: ProviderContext, what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    context.log(`${what} was not deleted; it ends by its own time limit`, { error: String(error) })
  }
}
