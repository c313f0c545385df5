const MASK = '[redacted]'
const SHORTEST = 4
const PATTERNS: readonly RegExp[] = [
  /\b(?:bearer|basic|token|key)\s+[\w.~+/=-]{6,}/gi,
  /(?:api[-_]?key|access[-_]?token|token|secret|passw(?:or)?d|authorization|signature)["']?\s{0,4}[:=]\s{0,4}["']?[^\s"'&,;}<>]{1,2000}/gi,
  /(?<![\w-])(?:(?!\beyJ)[\w-])*eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\b(?:sk|pk|rk|ak|cap|ghp|gho|ghs|xox[abprs]|glpat|AKIA|ASIA|AIza|hf|r8|tvly|fc|jina|SG)[-_.]?[\w-]{12,}/g,
  /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{28,}/gi,
  /(?<![\w.+-])[\w.+-]+@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g,
  /\+?\d[\d ().-]{7,18}\d/g,
]

/** Redacts secrets from log text: the given values in every encoding in which they are sent, and what resembles a key, a mail address or a phone number. */
export class Redactor {
  readonly #values: readonly string[]

  constructor(secrets: readonly string[]) {
    const forms = secrets.filter((secret) => secret.length >= SHORTEST).flatMap(formsOf)
    this.#values = [...new Set(forms)].sort((a, b) => b.length - a.length)
  }

  text(text: string): string {
    let safe = text
    for (const value of this.#values) safe = safe.replaceAll(value, MASK)
    return PATTERNS.reduce((rest, pattern) => rest.replace(pattern, MASK), safe)
  }

  /** The beginning of a text, redacted before it is cut, so that no part of a secret remains. */
  excerpt(text: string, length: number): string {
    const window = length * 8
    const seen = text.length > window ? text.slice(0, window) : text
    const safe = this.text(seen.replace(/\s+/g, ' '))
    const kept = text.length > window ? safe.slice(0, Math.max(0, safe.length - (this.#values[0]?.length ?? 0))) : safe
    return kept.length > length ? `${kept.slice(0, length)}…` : kept
  }
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const [, word = ''] = /^\S+ (\S+)$/.exec(secret) ?? []
  const forms = [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    JSON.stringify(secret).slice(1, -1),
    word,
  ]
  return forms.flatMap((form) => [form, form.replaceAll('/', '\\/')]).filter((form) => form.length >= SHORTEST)
}
