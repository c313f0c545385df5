import { CATALOGUE } from '../../core/problems/catalogue.js'

/** The errors of the service in the order of the catalogue, each under its slug. */
export function errorsList(): string {
  return Object.entries(CATALOGUE)
    .map(([slug, { status, title, category, retriable, cause, cure }]) =>
      [
        `### ${slug}`,
        `${status} ${title}. Category \`${category}\`; ${retriable ? 'a retry may help' : 'a retry does not help'}.`,
        `- Cause: ${prose(cause)}\n- What to do: ${prose(cure)}`,
      ].join('\n\n'),
    )
    .join('\n\n')
}

/** Text in which nothing is taken for markup. */
function prose(text: string): string {
  return text.replaceAll('<', '&lt;')
}
