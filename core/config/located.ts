/** A value of the configuration file with its place. */
export type Located = LocatedText | LocatedList | LocatedMap | LocatedNothing

export interface LocatedText {
  readonly kind: 'text'
  readonly where: string
  /** As written, after `${NAME}` was replaced. */
  readonly text: string
  /** Written without quotes: may be read as a number or a boolean. */
  readonly plain: boolean
  /** Came from the environment: not repeated in messages. */
  readonly replaced: boolean
}

interface LocatedList {
  readonly kind: 'list'
  readonly where: string
  readonly items: readonly Located[]
}

export interface LocatedMap {
  readonly kind: 'map'
  readonly where: string
  readonly entries: ReadonlyMap<string, LocatedEntry>
}

/** A value with the place of its key, for messages about unknown names. */
export interface LocatedEntry {
  readonly where: string
  readonly value: Located
}

/** Empty or `null`: as if not written. */
interface LocatedNothing {
  readonly kind: 'nothing'
  readonly where: string
}

/** Describes a value for a message; texts of files are quoted. `isGoodUnquoted`: only its quotes are wrong. */
export function describe(node: Located, isGoodUnquoted = false): string {
  if (node.kind === 'list') return 'a list'
  if (node.kind === 'map') return 'a group of settings'
  if (node.kind === 'nothing') return 'nothing'
  if (node.replaced) return 'the value taken from the environment'
  if (node.plain) return node.text
  return `the quoted text ${JSON.stringify(node.text)}${isGoodUnquoted ? ': write it without quotes' : ''}`
}
