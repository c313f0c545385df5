import type { Answered } from '../../support/mistakes.js'
import { ACCOUNTS } from './accounts.js'
import { CREDITS } from './credits.js'
import { GATEWAY } from './gateway.js'
import { GROUPS } from './groups.js'
import { KEYS } from './keys.js'
import type { CommandMistake } from './mistake.js'
import { PLUGINS } from './plugins.js'
import { PROVIDERS } from './providers.js'
import { RUN } from './run.js'
import { STORE } from './store.js'
import { typedLine } from './typed-line.js'
import { isOwnProcess, openWorld } from './world.js'

/** Every mistake of the tables. */
export const COMMAND_MISTAKES: readonly CommandMistake[] = [GROUPS, GATEWAY, RUN, ACCOUNTS, CREDITS, KEYS, PROVIDERS, PLUGINS, STORE].flat()

export interface CommandAnswer extends Answered {
  /** The exit code that is right. */
  readonly exit: number
}

/** Makes each mistake and keeps what it is answered. Those of another user are left out where this user may not become one. */
export async function commandMistakes(mistakes: readonly CommandMistake[] = COMMAND_MISTAKES): Promise<readonly CommandAnswer[]> {
  const world = await openWorld()
  try {
    const possible = mistakes.filter(({ tried }) => process.geteuid?.() === 0 || !tried.startsWith('sudo '))
    const beside = new Map(possible.filter(({ tried }) => isOwnProcess(typedLine(tried))).map(({ tried }) => [tried, world.run(tried)]))
    const rows: CommandAnswer[] = []
    for (const mistake of possible) {
      const { code, answer } = await (beside.get(mistake.tried) ?? world.run(mistake.tried))
      rows.push({
        ...mistake,
        tried: mistake.tried,
        says: mistake.says.map((each) => (typeof each === 'string' ? world.fill(each) : each)),
        code,
        answer,
      })
    }
    return rows
  } finally {
    await world.close()
  }
}
