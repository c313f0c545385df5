import { Fault, vendor } from '../../core/sdk/index.js'
import { tavily } from './tavily.js'
import { textAt } from './text-at.js'

/** Longest pause of a vendor that is merely busy; a longer one means that its allowance is used up. */
const MOMENT_S = 60

/**
 * Tavily without a key. It is a separate vendor, so that an order of vendors with keys never falls back to it: it
 * discloses the search to a third party, and is used only when the operator's waterfall names it. Its limits are
 * tight and undocumented; its refusal states how long they last.
 */
export const tavilyKeyless = vendor({
  id: 'tavily-keyless',
  title: 'Tavily without a key',
  home: 'https://docs.tavily.com',
  baseUrl: 'https://api.tavily.com',
  headers: { 'x-tavily-access-mode': 'keyless' },
  optIn: true,
  fault: (reply) => {
    const { status, body } = reply
    const limited = textAt(body, 'error', 'retry_after_seconds')
    if (status < 400 || (limited === '' && textAt(body, 'error', 'window') === '')) return tavily.fault?.(reply)
    const seconds = Math.ceil(Number(limited))
    if (limited === '' || !(seconds >= 0)) return new Fault('busy', 'Tavily accepts no more requests without a key for now.')
    const retryAfterSeconds = Math.max(1, seconds)
    return new Fault(retryAfterSeconds > MOMENT_S ? 'quota' : 'busy', 'Tavily accepts no more requests without a key for now.', {
      retryAfterSeconds,
    })
  },
})
