import { Fault, retryAfterOf, vendor } from '../../core/sdk/index.js'

/** People Data Labs. 404 is a person or company that it does not know, which costs nothing; 429 says when its limit begins anew. */
export const peopledatalabs = vendor({
  id: 'peopledatalabs',
  title: 'People Data Labs',
  home: 'https://docs.peopledatalabs.com',
  baseUrl: 'https://api.peopledatalabs.com/v5',
  secrets: { api_key: 'PEOPLEDATALABS_API_KEY' },
  auth: (secret) => ({ headers: { 'x-api-key': secret('api_key') } }),
  fault: ({ status, headers }) => {
    if (status !== 429) return undefined
    const seconds = retryAfterOf(headers['retry-after'], Date.now()) ?? resetOf(headers['x-ratelimit-reset'])
    return new Fault('busy', 'People Data Labs is asked too often.', seconds === undefined ? {} : { retryAfterSeconds: seconds })
  },
})

/** Seconds until a time of UTC, which may be written without its zone; undefined for what is none. */
function resetOf(header = ''): number | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)/.exec(header.trim()) ?? []
  if (day !== undefined && time !== undefined) return retryAfterOf(`${day}T${time}Z`, Date.now())
  return /[a-z]/i.test(header) ? retryAfterOf(header, Date.now()) : undefined
}
