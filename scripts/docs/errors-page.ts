import { CATALOGUE } from '../../core/problems/catalogue.js'

/** The errors of the service in the order of the catalogue, each under its slug. */
export function errorsList(): string {
  return Object.entries(CATALOGUE)
    .map(([slug, { status, title, category, retriable, cause, cure }]) =>
      [
        `### ${slug}`,
        `${status} ${title}. Category \`${category}\`; ${retriable ? 'a retry may help' : 'a retry does not help'}.`,
        `- Cause: ${cause}\n- What to do: ${cure}`,
      ].join('\n\n'),
    )
    .join('\n\n')
}
