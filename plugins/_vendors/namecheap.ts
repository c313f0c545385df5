import { Fault, nullable, or, Type, vendor, type FaultKind } from '../../core/sdk/index.js'

const MEANINGS = new Map<string, readonly [FaultKind, string]>([
  ...['1010101', '1010102', '1010104', '1010105'].map((number): [string, readonly [FaultKind, string]] => [
    number,
    ['credentials', 'Namecheap misses the user, the key or the address of the caller.'],
  ]),
  ['1011102', ['credentials', 'Namecheap does not accept the key in NAMECHEAP_API_KEY.']],
  ['1030408', ['credentials', 'Namecheap does not accept this kind of key.']],
  ['1011150', ['credentials', 'Namecheap does not accept the address in CAPSTAN_NAMECHEAP_CLIENT_IP.']],
  ['1017150', ['credentials', 'The address in CAPSTAN_NAMECHEAP_CLIENT_IP is not on the allow list of the Namecheap account.']],
  ['1017101', ['credentials', 'The Namecheap user is disabled or locked.']],
  ['1017411', ['credentials', 'The Namecheap user is disabled or locked.']],
  ['1050900', ['broken', 'Namecheap failed for a reason that it does not name.']],
  ['2011169', ['invalid', 'Namecheap takes 50 names at once at most.']],
  ['3031510', ['busy', 'The registry behind Namecheap failed.']],
  ['3011511', ['busy', 'The registry behind Namecheap failed.']],
])
/** The error number is near the start of an answer. */
const HEAD = 4_000

/** Namecheap, which answers in XML with status 200, also for errors; 405 is its rate limit. */
export const namecheap = vendor({
  id: 'namecheap',
  title: 'Namecheap',
  home: 'https://www.namecheap.com/support/api/intro/',
  baseUrl: 'https://api.namecheap.com',
  secrets: { api_user: 'NAMECHEAP_API_USER', api_key: 'NAMECHEAP_API_KEY' },
  optionalSecrets: { user_name: 'NAMECHEAP_USER_NAME' },
  settings: Type.Object({
    client_ip: or(
      nullable(
        Type.String({
          pattern: '^\\d{1,3}(\\.\\d{1,3}){3}$',
          description: 'IPv4 address of this gateway as the Namecheap account allows it; null for none.',
        }),
      ),
      null,
    ),
  }),
  // At most 50 in a minute, 700 in an hour and 8,000 in a day.
  pace: { requests: 50, perMs: 540_000 },
  auth: (secret) => {
    const user = secret('api_user')
    return { query: { ApiUser: user, ApiKey: secret('api_key'), UserName: secret('user_name') || user } }
  },
  fault: ({ status, body }) => {
    if (status === 405) return new Fault('busy', 'Namecheap limits the rate of requests.')
    const head = typeof body === 'string' ? body.slice(0, HEAD) : ''
    if (status !== 200 || !/<ApiResponse\b[^<>]*\bStatus="ERROR"/i.test(head)) return undefined
    const number = /<Error\b[^<>]*\bNumber="(\d{1,10})"/i.exec(head)?.[1] ?? ''
    const [kind, message] = MEANINGS.get(number) ?? ['broken', 'Namecheap answered with an error.']
    return new Fault(kind, message, kind === 'busy' ? { unavailable: true } : {})
  },
})
