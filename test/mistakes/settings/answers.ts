import { realParts } from '../../../scripts/capstan/cli/parts.js'
import { problemLines } from '../../../scripts/capstan/cli/problem-lines.js'
import type { Config, KnownNames } from '../../../core/config/types.js'
import { ConfigError, type ConfigProblem } from '../../../core/problems/errors.js'
import { knownNames } from '../../../core/loader/registry.js'
import { configFolder, configFrom, type ConfigFolder } from '../../support/config.js'
import type { Answered } from '../../support/mistakes.js'
import { mistakesByKind } from './by-kind.js'
import { declaredMistakes } from './declared.js'
import type { SettingMistake } from './mistake.js'
import { GROUPS } from './groups.js'
import { WRITTEN } from './written.js'

/** Every mistake with the settings of the core and with the groups of a file. */
export const SETTING_MISTAKES: readonly SettingMistake[] = [...mistakesByKind(), ...WRITTEN, ...GROUPS]

type Judged = readonly [SettingMistake, KnownNames]

/** Makes each mistake, or those that are chosen, and keeps what `capstan config check` says of it. */
export async function settingMistakes(
  choose: (all: readonly Judged[]) => readonly Judged[] = (all) => all,
): Promise<{ readonly mistakes: readonly SettingMistake[]; readonly answers: readonly Answered[] }> {
  const folder = configFolder()
  const registry = await realParts.registry(configFrom())
  try {
    const known = knownNames(registry)
    const rows: Answered[] = []
    const all: Judged[] = [...SETTING_MISTAKES.map((each) => [each, known] as const), ...declaredMistakes(known)]
    for (const [mistake, names] of choose(all)) {
      const problems = await problemsOf(mistake, folder, names)
      const code = problems.some(({ level }) => level === 'error') ? 1 : 0
      rows.push({ ...mistake, code, answer: problemLines(problems).replaceAll(folder.folder, '/work') })
    }
    return { mistakes: all.map(([mistake]) => mistake), answers: rows }
  } finally {
    await registry.dispose()
    folder.done()
  }
}

async function problemsOf({ yaml, env }: SettingMistake, folder: ConfigFolder, known: KnownNames): Promise<readonly ConfigProblem[]> {
  let config: Config
  try {
    config = folder.load(yaml, env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return [...config.warnings, ...config.problems(known), ...(await realParts.startProblems(config))]
}
