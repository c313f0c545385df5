import { setTimeout as after } from 'node:timers/promises'
import { Fault, type ProviderContext } from '../../core/sdk/index.js'
import type { CodeInput, Language } from './contract.js'
import { lineOf } from './program.js'
import { STREAM_BYTES } from './result.js'
import { textSetting } from './setting.js'

const KEPT = STREAM_BYTES + 1
const TIME_CODE = 124
const KILLED = 137

/** Waits between two looks at a vendor; ends early when the call is over, so that the next request says why. */
export async function pause(ms: number, context: Pick<ProviderContext, 'signal'>): Promise<void> {
  await after(ms, undefined, { signal: context.signal }).catch((error: unknown) => {
    if (!context.signal.aborted) throw error
  })
}

/** The setting of a vendor that names its image, template or snapshot for an input. */
export function settingOf({ template, language }: CodeInput, otherwise: 'template' | 'snapshot' | 'language'): string {
  if (template === null || template === 'default') return otherwise === 'language' ? language : otherwise
  if (template === 'web-dev') return otherwise === 'language' ? 'javascript' : 'web_dev'
  return template === 'data-science' ? 'data_science' : 'video'
}

/** What a vendor is told to start for an input. Throws Fault `missing` when the operator named nothing for it. */
export function imageFor(input: CodeInput, otherwise: Parameters<typeof settingOf>[1], context: Pick<ProviderContext, 'settings'>): string {
  const name = settingOf(input, otherwise)
  const image = textSetting(context.settings, name)
  if (image === null)
    throw new Fault('missing', `This vendor has nothing set up for ${input.template ?? input.language}.`, {
      internal: `set ${name} of the vendor`,
    })
  return image
}

/**
 * A bash script that runs the program with a wall time, passes the first MiB of each stream on and drops the rest, and ends with the program's
 * code, 124 after the wall time. Nothing of it comes from the caller.
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

/** Whether the wall time ended a program that ran so long and ended so. */
export function ranOut(code: number, runMs: number, seconds: number): boolean {
  return (code === TIME_CODE || code === KILLED) && runMs >= seconds * 1000
}

/** Deletes what was started at a vendor. A failure is logged, because the result stands. */
export async function cleanUp(context: ProviderContext, what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    context.log(`${what} was not deleted; it ends by its own time limit`, { error: String(error) })
  }
}
