import { Fault, isRecord, vendor, type Reply } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** NeverBounce API v4.2. Errors come with status 200 and are recognised by the field `status`. */
export const neverbounce = vendor({
  id: 'neverbounce',
  title: 'NeverBounce',
  home: 'https://developers.neverbounce.com',
  baseUrl: 'https://api.neverbounce.com/v4.2',
  secrets: { api_key: 'NEVERBOUNCE_API_KEY' },
  auth: (secret) => ({ json: { key: secret('api_key') } }),
  fault: errorOf,
})

function errorOf({ status, body }: Reply): Fault | undefined {
  if (status >= 300 || !isRecord(body) || typeof body['status'] !== 'string' || body['status'] === 'success') return undefined
  const internal = body['status'].slice(0, 100)
  switch (body['status']) {
    case 'auth_failure':
    case 'bad_referrer':
      return new Fault('credentials', 'NeverBounce does not accept the key, or not from this address.', { internal })
    case 'temp_unavail':
      return new Fault('busy', 'NeverBounce is out of order for the moment.', { internal })
    case 'throttle_triggered':
      return new Fault('busy', 'NeverBounce limits the rate of requests.', { internal })
    case 'general_failure':
      return /credit|balance|funds/i.test(textAt(body, 'message'))
        ? new Fault('quota', 'The NeverBounce account has no credits left.', { internal })
        : new Fault('invalid', 'NeverBounce refuses the request.', { internal })
    default:
      return new Fault('broken', 'NeverBounce failed.', { internal })
  }
}
