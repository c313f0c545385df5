import { Fault, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** ScrapingBee. 401 is a wrong key or an exhausted plan, distinguished by the text; 500 is a failed scrape. */
export const scrapingbee = vendor({
  id: 'scrapingbee',
  title: 'ScrapingBee',
  home: 'https://www.scrapingbee.com/documentation',
  baseUrl: 'https://app.scrapingbee.com/api/v1',
  secrets: { api_key: 'SCRAPINGBEE_API_KEY' },
  auth: (secret) => ({ query: { api_key: secret('api_key') } }),
  fault: ({ status, body }) => {
    const text = typeof body === 'string' ? body : `${textAt(body, 'message')} ${textAt(body, 'errors')}`
    if (status === 401 && /credit|limit|quota|calls|upgrade/i.test(text))
      return new Fault('quota', 'The ScrapingBee plan has no credits left.')
    if (status === 500) return new Fault('blocked', 'the page could not be opened by ScrapingBee')
    return undefined
  },
})
