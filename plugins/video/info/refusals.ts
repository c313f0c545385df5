import { Fault, type FaultKind, type FaultOptions } from '../../../core/sdk/index.js'

interface Refusal {
  readonly name: string
  /** yt-dlp's message, which may be the site's. */
  readonly sign: RegExp
  readonly kind: FaultKind
  readonly message: string
  readonly options?: Pick<FaultOptions, 'final' | 'unavailable' | 'remedy' | 'loc'>
}

const URL_FIELD = { loc: ['url'], final: true }
const OTHER_VIDEO = { remedy: 'Only videos that everybody may watch can be read; use the address of another one.' }

/**
 * Meanings of yt-dlp's messages (sheet yt-dlp, and the texts in `yt_dlp/extractor`), specific before general ones.
 * `final` when no other downloader could succeed.
 */
export const REFUSALS: readonly Refusal[] = [
  {
    name: 'drm',
    sign: /DRM[- ]protected|DRM protection|protected by DRM/i,
    kind: 'blocked',
    message: 'The video is protected by DRM.',
    options: { final: true, ...OTHER_VIDEO },
  },
  {
    name: 'premium',
    sign: /members[- ]only|available to (?:this channel's )?members|Join this channel|requires? payment|premium|subscri(?:ption|bers)|must (?:buy|rent|purchase)|paid (?:video|content)/i,
    kind: 'blocked',
    message: 'The video is for paying members only.',
    options: { final: true, ...OTHER_VIDEO },
  },
  {
    name: 'private',
    sign: /private video|(?:video|post|content|account) is private|is marked as private/i,
    kind: 'blocked',
    message: 'The video is private.',
    options: { final: true, ...OTHER_VIDEO },
  },
  {
    name: 'age',
    sign: /confirm your age|age[- ]restrict|age[- ]gate|age verification|inappropriate for some users|restricted to adults/i,
    kind: 'blocked',
    message: 'The video is restricted by age: the site wants a login that shows the age.',
    options: OTHER_VIDEO,
  },
  {
    name: 'bot',
    sign: /not a bot|captcha|unusual traffic|cloudflare/i,
    kind: 'blocked',
    message: 'The site treats this server as a bot and requires a check or a login.',
    options: { remedy: 'Try later, or use the address of the video on another site.' },
  },
  {
    name: 'region',
    sign: /geo[- ]?restrict|not available (?:from|in) your (?:location|country|region)|available in your country|blocked (?:it )?in your country/i,
    kind: 'blocked',
    message: 'The video is not available in the region of this server.',
    options: OTHER_VIDEO,
  },
  {
    name: 'login',
    sign: /registered users|log ?in (?:is )?(?:required|to)|sign in|need to log|requires? (?:authentication|a login)|use --(?:cookies|username)|HTTP Error 401/i,
    kind: 'blocked',
    message: 'The site shows the video only after a login.',
    options: OTHER_VIDEO,
  },
  {
    name: 'live',
    sign: /not currently live|live event will begin|premieres? in|live stream recording is not|will begin in|is offline|live stream has not/i,
    kind: 'invalid',
    message: 'The address is a live stream or a premiere that has not begun; only finished videos can be read.',
    options: URL_FIELD,
  },
  {
    name: 'removed',
    sign: /HTTP Error 4(?:04|10)|has been removed|been deleted|no longer (?:available|exists)|does ?n[o']t exist|(?:video|post|media) (?:is )?(?:unavailable|not found)|account .{0,40}terminated/i,
    kind: 'missing',
    message: 'There is no such video: it was removed, or the address is wrong.',
    options: { final: true },
  },
  {
    name: 'unsupported',
    sign: /Unsupported URL|is not a valid URL|no suitable extractor/i,
    kind: 'missing',
    message: 'The site is not supported, and the page contains no video that can be found.',
  },
  {
    name: 'refused',
    sign: /HTTP Error 4(?:03|51)|Tunnel connection failed: 403/i,
    kind: 'blocked',
    message: 'The site, or an address that its page leads to, refused access.',
  },
  {
    name: 'busy',
    sign: /HTTP Error (?:429|5\d\d)|Tunnel connection failed: 5|timed out|Connection (?:reset|refused|aborted)|Remote end closed|IncompleteRead|bytes read, \d+ more expected|Did not get any data|not resolve/i,
    kind: 'blocked',
    message: 'The site did not deliver the video: it timed out, broke off, or answered that it is busy.',
    options: { unavailable: true },
  },
  {
    name: 'too large',
    sign: /larger than max-filesize/i,
    kind: 'invalid',
    message: 'The video is larger than the 1 GiB that a download may have.',
    options: { loc: ['quality'], final: true, remedy: 'Ask for a lower quality, or for the sound alone.' },
  },
  {
    name: 'no media',
    sign: /No video formats found|Requested format is not available|No video could be found|no media|Unable to download JSON|Unable to extract|fragment .{0,20}not found|giving up after|file:\/\/|Invalid (?:data|manifest)|not a valid/i,
    kind: 'missing',
    message: 'No video that can be downloaded was found at the address.',
  },
  {
    name: 'unable',
    sign: /Unable to download/i,
    kind: 'blocked',
    message: 'The page of the video could not be read.',
    options: { unavailable: true },
  },
]

/** Characters of a message that are read. */
const LONGEST = 2_000

/** Whether yt-dlp ended only because its output was not read any more: all its errors are broken pipes. */
export function isUnread(stderr: string): boolean {
  const errors = linesOf(stderr).filter((line) => line.startsWith('ERROR:'))
  return errors.length > 0 && errors.every((line) => line.includes('[Errno 32] Broken pipe'))
}

/**
 * The Fault for yt-dlp's last error; `broken` for an unknown message, and without one. For a missing fragment the
 * reason is in the preceding lines.
 */
export function refusalOf(stderr: string): Fault {
  const lines = linesOf(stderr)
  const error = lines.findLast((line) => line.startsWith('ERROR:')) ?? stderr.slice(-LONGEST)
  const reason = error.includes('fragment') ? (lines.findLast((line) => line.includes('Got error:')) ?? '') : ''
  const text = `${reason.slice(0, LONGEST)} ${error.slice(0, LONGEST)}`.trim()
  const known = REFUSALS.find(({ sign }) => sign.test(text))
  if (known === undefined) return new Fault('broken', 'yt-dlp could not read the video.', { internal: text })
  return new Fault(known.kind, known.message, { ...known.options, internal: text })
}

/** An interrupted download returns to the start of the line after the word. */
function linesOf(stderr: string): string[] {
  return stderr.replace(/^ERROR: *\r/gm, 'ERROR: ').split(/[\r\n]+/)
}
