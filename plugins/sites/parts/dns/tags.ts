/** A list of `name=value`, as in DMARC, DKIM and similar records. Names are in lower case. */
export interface Tags {
  /** In record order; for a repeated one the first. */
  readonly tags: ReadonlyMap<string, string>
  /** The name of the first, null for an empty list. */
  readonly first: string | null
  readonly problems: readonly string[]
}

const MOST_TAGS = 100

/** Parses `a=b; c=d` (RFC 6376 3.2). Never throws; an invalid tag is a problem. */
export function readTags(record: string): Tags {
  const pieces = record.split(';', MOST_TAGS).map((piece) => piece.trim())
  const tags = new Map<string, string>()
  const problems: string[] = []
  let first: string | null = null
  for (const piece of pieces) {
    if (piece === '') continue
    const equals = piece.indexOf('=')
    const name = piece.slice(0, equals).trim().toLowerCase()
    if (equals === -1 || !/^[a-z][a-z0-9_]*$/.test(name)) problems.push(`"${piece.slice(0, 80)}" is no tag.`)
    else if (tags.has(name)) problems.push(`The tag ${name.slice(0, 80)} is there more than once.`)
    else tags.set(name, piece.slice(equals + 1).trim())
    first ??= name
  }
  return { tags, first, problems: problems.slice(0, 10) }
}
