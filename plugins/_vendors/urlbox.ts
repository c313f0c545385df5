import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** States of an account that its owner must correct, with 401 or 403. */
const ACCOUNT = new Set(['NoPlan', 'NotConfirmed', 'NotActive'])

/** Urlbox. 429 is the rate limit, or the plan's quota when the headers report none left. */
export const urlbox = vendor({
  id: 'urlbox',
  title: 'Urlbox',
  home: 'https://urlbox.com/docs/api',
  baseUrl: 'https://api.urlbox.com/v1',
  secrets: { secret_key: 'URLBOX_SECRET_KEY' },
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('secret_key')}` } }),
  fault: ({ status, headers, body }) => {
    const code = textAt(body, 'error', 'code')
    if (ACCOUNT.has(code)) return new Fault('credentials', `The Urlbox account is not in order (${code}).`)
    if (status === 429 && headers['x-renders-remaining'] === '0') return new Fault('quota', 'The Urlbox plan has no pictures left.')
    return undefined
  },
})
