const WORDS = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/** Throws unless a name is lower-case words joined by dashes. */
export function requireWords(what: string, name: string): void {
  if (!WORDS.test(name))
    throw new Error(`${what} "${name}" must be lower-case words joined by dashes that begin with a letter, for example acme-search`)
}

/** A name of dashes and dots as an identifier: `acme-search` is `acmeSearch`. */
export function camel(name: string): string {
  return name.replace(/[-._]([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())
}

/** The variable of a vendor's key: `ACME_SEARCH_API_KEY`. */
export function keyVariable(vendor: string): string {
  return `${vendor.toUpperCase().replaceAll('-', '_')}_API_KEY`
}

/** A readable name: `acme-search` becomes `Acme search`. */
export function title(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
