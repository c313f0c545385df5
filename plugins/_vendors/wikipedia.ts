import { Fault, or, Type, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** Supported editions; each has its own host. */
export const WIKIPEDIA_LANGUAGES = [
  ...[
    'ar',
    'bg',
    'ca',
    'cs',
    'da',
    'de',
    'el',
    'en',
    'es',
    'et',
    'fa',
    'fi',
    'fr',
    'he',
    'hi',
    'hr',
    'hu',
    'id',
    'is',
    'it',
    'ja',
    'ko',
    'lt',
    'lv',
  ],
  ...['ms', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sr', 'sv', 'th', 'tr', 'uk', 'vi', 'zh'],
]

const PAUSES = new Set(['ratelimited', 'maxlag', 'readonly', 'cirrussearch-too-busy-error'])

/** Wikipedia's search API, without a key. Errors of the action API have status 200. */
export const wikipedia = vendor({
  id: 'wikipedia',
  title: 'Wikipedia (keyless)',
  home: 'https://www.mediawiki.org/wiki/API:Search',
  baseUrl: 'https://en.wikipedia.org',
  hosts: Object.fromEntries(WIKIPEDIA_LANGUAGES.map((language) => [language, `https://${language}.wikipedia.org`])),
  settings: Type.Object({
    contact: or(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[ -~]+$',
        description: 'Address or page by which Wikimedia can reach you; sent in the user agent, as their policy asks.',
      }),
      'self-hosted gateway',
    ),
  }),
  fault: ({ status, body }) => {
    if (status === 403)
      return new Fault('credentials', 'Wikipedia refused the user agent: set CAPSTAN_WIKIPEDIA_CONTACT to a mail address or page.')
    const code = textAt(body, 'error', 'code')
    if (status !== 200 || code === '') return undefined
    if (PAUSES.has(code)) return new Fault('busy', 'Wikipedia requests a pause.')
    return code.startsWith('internal_api_error')
      ? new Fault('broken', 'Wikipedia failed inside.')
      : new Fault('missing', 'Wikipedia does not accept this search.')
  },
})
