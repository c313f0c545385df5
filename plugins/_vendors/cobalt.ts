import { Fault, vendor, type FaultKind, type FaultOptions } from '../../core/sdk/index.js'
import { valueAt } from '../_shared/value-at.js'
import { textAt } from './text-at.js'

const PREFIX = 'error.api.'

interface Meaning {
  readonly codes: RegExp
  readonly kind: FaultKind
  readonly message: string
  readonly options?: Pick<FaultOptions, 'loc' | 'final' | 'unavailable'>
}

/** Error codes without their prefix (docs/api.md and the instance's localised texts). The status is 400 for nearly all of them. */
const MEANINGS: readonly Meaning[] = [
  { codes: /^auth\./, kind: 'credentials', message: 'The cobalt instance does not accept the key.' },
  { codes: /^(?:header\.|invalid_body)/, kind: 'broken', message: 'The cobalt instance does not accept the request.' },
  { codes: /^service\.audio_not_supported$/, kind: 'invalid', message: 'The site has no sound alone.', options: { loc: ['format'] } },
  { codes: /^(?:link|service)\./, kind: 'missing', message: 'The cobalt instance does not support the address.' },
  { codes: /^(?:rate_exceeded|fetch\.rate)$/, kind: 'busy', message: 'The cobalt instance accepts no more requests for now.' },
  { codes: /^fetch\.critical\.core$/, kind: 'broken', message: 'The cobalt instance failed.' },
  {
    codes: /^fetch\./,
    kind: 'blocked',
    message: 'The site did not deliver the video to the cobalt instance.',
    options: { unavailable: true },
  },
  { codes: /^content\.too_long$/, kind: 'missing', message: 'The video is longer than the cobalt instance accepts.' },
  { codes: /\.unavailable$/, kind: 'missing', message: 'There is no such video: it was removed, or the address is wrong.' },
  {
    codes: /\.live$/,
    kind: 'invalid',
    message: 'The address is a live stream; only finished videos can be read.',
    options: { loc: ['url'] },
  },
  { codes: /\.private$/, kind: 'blocked', message: 'The video is private.', options: { final: true } },
  { codes: /\.age$/, kind: 'blocked', message: 'The video is restricted by age: the site wants a login that shows the age.' },
  { codes: /^content\..*region$/, kind: 'blocked', message: 'The video is not available in the region of the cobalt instance.' },
  { codes: /^content\.paid$/, kind: 'blocked', message: 'The video is for paying members only.', options: { final: true } },
  { codes: /^youtube\.login$/, kind: 'blocked', message: 'The site treats the cobalt instance as a bot and requires a login.' },
  { codes: /^youtube\.drm$/, kind: 'blocked', message: 'The video is protected by DRM.', options: { final: true } },
  { codes: /^youtube\.no_matching_format$/, kind: 'missing', message: 'The video has no such format.' },
  { codes: /^youtube\./, kind: 'broken', message: 'The cobalt instance cannot read this site at present.' },
]

/** cobalt, on the operator's own instance. The public instance is not meant for other projects. Keys are optional. */
export const cobalt = vendor({
  id: 'cobalt',
  title: 'cobalt (own instance)',
  home: 'https://github.com/imputnet/cobalt/blob/main/docs/api.md',
  needsUrl: true,
  optionalSecrets: { api_key: 'COBALT_API_KEY' },
  headers: { accept: 'application/json' },
  auth: (secret) => (secret('api_key') === '' ? {} : { headers: { authorization: `Api-Key ${secret('api_key')}` } }),
  fault: ({ status, body }) => {
    const code = textAt(body, 'error', 'code')
    if (!code.startsWith(PREFIX)) return undefined
    const known = MEANINGS.find(({ codes }) => codes.test(code.slice(PREFIX.length)))
    if (known === undefined) return new Fault('broken', 'The cobalt instance could not read the video.', { internal: `${status} ${code}` })
    const seconds = known.kind === 'busy' ? valueAt(body, 'error', 'context', 'limit') : null
    return new Fault(known.kind, known.message, {
      ...{ ...known.options, internal: code },
      ...(typeof seconds === 'number' ? { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) } : {}),
    })
  },
})
