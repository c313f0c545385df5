import { provider } from '../../../core/sdk/index.js'
import { smtp as vendor } from '../../_vendors/smtp.js'
import { settings } from '../settings.js'
import { verifyVendors } from '../verify/contract.js'

/** Beyond what the conversation is given: names of hosts that do not come, a place that is not free. */
const SPARE_MS = 1_500

/** Asks the mail servers of the domain themselves. */
export const smtp = provider(verifyVendors, {
  vendor,
  settings,
  rank: 90,
  timeoutMs: ({ left_ms }) => left_ms + SPARE_MS,
  serves: ({ hosts }) => hosts.length > 0,
  run: async (input, context) => await (await import('../verify/smtp/check-mailbox.js')).checkMailbox(input, context),
})
