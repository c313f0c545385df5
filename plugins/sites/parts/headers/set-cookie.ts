/** A cookie set by a page. */
export interface Cookie {
  readonly name: string
  /** By their names in lower case. */
  readonly attributes: ReadonlyMap<string, string>
}

/** The cookies of comma-joined Set-Cookie lines: a comma separates when a name and an equals sign follow. */
export function cookiesIn(header: string): Cookie[] {
  const lines: string[] = []
  for (const piece of header.split(',')) {
    const last = lines.at(-1)
    if (last === undefined || /^\s*[^\s;=]+=/.test(piece)) lines.push(piece)
    else lines[lines.length - 1] = `${last},${piece}`
  }
  return lines.flatMap((line) => {
    const [pair = '', ...rest] = line.split(';')
    const equals = pair.indexOf('=')
    if (equals < 1) return []
    const attributes = rest.map((attribute) => {
      const [key = '', ...value] = attribute.split('=')
      return [key.trim().toLowerCase(), value.join('=').trim()] as const
    })
    return [{ name: pair.slice(0, equals).trim(), attributes: new Map(attributes) }]
  })
}
