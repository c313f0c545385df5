/** A line as a shell hands it over: variables before the command, and its words. */
export interface TypedLine {
  readonly env: Readonly<Record<string, string>>
  readonly argv: readonly string[]
  /** Another user is to run it. */
  readonly asNobody: boolean
}

const SUDO = ['sudo', '-u', 'nobody']

/** Reads `NAME=value capstan words…` with quotes as a shell has them. Throws for a line that is no command of the program. */
export function typedLine(line: string): TypedLine {
  const all = words(line)
  const asNobody = SUDO.every((word, at) => all[at] === word)
  const rest = asNobody ? all.slice(SUDO.length) : all
  const at = rest.indexOf('capstan')
  if (at < 0) throw new Error(`this line does not call capstan: ${line}`)
  const env = Object.fromEntries(rest.slice(0, at).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]))
  return { env, argv: rest.slice(at + 1), asNobody }
}

function words(line: string): string[] {
  return [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single: string | undefined, double: string | undefined) => single ?? double ?? ''),
  )
}
