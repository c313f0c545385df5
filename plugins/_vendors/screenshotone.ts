import { Fault, vendor, type Reply } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

const CREDENTIALS = new Set(['access_key_required', 'access_key_invalid', 'signature_is_required', 'signature_is_not_valid'])
const SLOW = new Set(['timeout_error', 'network_error', 'request_aborted'])
const HOST_STATUS = 'the site answered with status '

/** ScreenshotOne. Nearly every client error is 400, distinguished by `error_code`. */
export const screenshotone = vendor({
  id: 'screenshotone',
  title: 'ScreenshotOne',
  home: 'https://screenshotone.com/docs/getting-started',
  baseUrl: 'https://api.screenshotone.com',
  secrets: { access_key: 'SCREENSHOTONE_ACCESS_KEY' },
  auth: (secret) => ({ headers: { 'x-access-key': secret('access_key') } }),
  fault: readFault,
})

function readFault({ body }: Reply): Fault | undefined {
  const code = textAt(body, 'error_code')
  if (CREDENTIALS.has(code)) return new Fault('credentials', 'ScreenshotOne does not accept the access key.')
  if (code === 'screenshots_limit_reached') return new Fault('quota', 'The ScreenshotOne plan has no pictures left.')
  if (code === 'concurrency_limit_reached') return new Fault('busy', 'ScreenshotOne accepts no more concurrent pictures.')
  if (code === 'name_not_resolved') return new Fault('missing', 'the host of the page is unknown')
  if (SLOW.has(code)) return new Fault('blocked', 'the page could not be reached or was not ready in time', { unavailable: true })
  if (code === 'host_returned_error')
    return new Fault('blocked', 'the site answered with an error', { internal: HOST_STATUS + textAt(body, 'returned_status_code') })
  return undefined
}

/** The status of the page itself in a Fault of this vendor; null when the Fault is about something else. */
export function hostStatus({ internal = '' }: Fault): number | null {
  const status = internal.startsWith(HOST_STATUS) ? Number(internal.slice(HOST_STATUS.length)) : 0
  return Number.isInteger(status) && status > 0 ? status : null
}
