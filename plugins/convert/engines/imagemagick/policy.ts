import { LIMITS } from './limits.js'

/**
 * The policy of one run (https://imagemagick.org/script/security-policy.php): no delegates, no filters, no files by
 * `@`, and only the coders of the pair. The last matching rule applies.
 */
export function policy(coders: readonly string[]): string {
  const resources = Object.entries(LIMITS).map(([name, value]) => `  <policy domain="resource" name="${name}" value="${value}"/>`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<policymap>',
    ...resources,
    ...['delegate', 'filter', 'coder'].map((domain) => `  <policy domain="${domain}" rights="none" pattern="*"/>`),
    ...['@*', '|*', '-', 'fd:*', '/etc/*', '/usr/*', '/proc/*', '/dev/*'].map(
      (path) => `  <policy domain="path" rights="none" pattern="${path}"/>`,
    ),
    ...[...new Set(coders)].map((coder) => `  <policy domain="coder" rights="read|write" pattern="${coder}"/>`),
    '</policymap>',
    '',
  ].join('\n')
}
