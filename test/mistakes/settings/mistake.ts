import type { Mistake } from '../../support/mistakes.js'

/** A mistake with a setting: the text of the file, and the variables. */
export interface SettingMistake extends Mistake {
  readonly yaml: string | null
  readonly env: Readonly<Record<string, string>>
}

/** What is to be said of it. */
type Says = readonly (string | RegExp)[]

/** A position in the file. */
const PLACE = /capstan\.yml:\d+:\d+: /

/** A mistake in the file, whose report gives its position. */
export function inFile(of: string, yaml: string, ...says: Says): SettingMistake {
  return { of, tried: `capstan.yml: ${yaml.trim()}`, says: [PLACE, ...says], yaml, env: {} }
}

/** A mistake in one variable, whose answer names it. */
export function inVariable(of: string, variable: string, text: string, ...says: Says): SettingMistake {
  return { of, tried: `${variable}=${JSON.stringify(text)}`, says: [`${variable}: `, ...says], yaml: null, env: { [variable]: text } }
}

/** Settings that contradict each other; the answer names the first of the variables. */
export function together(of: string, env: Readonly<Record<string, string>>, ...says: Says): SettingMistake {
  const tried = Object.entries(env).map(([name, text]) => `${name}=${JSON.stringify(text)}`)
  return { of, tried: tried.join(' '), says, yaml: null, env }
}
