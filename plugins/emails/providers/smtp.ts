import { provider } from '../../../core/sdk/index.js'
import { smtp as vendor } from '../../_vendors/smtp.js'
import { settings } from '../settings.js'
import { verifyVendors } from '../verify/contract.js'

/** Time beyond that of the conversation: unresolved host names, a place that is not free. */
const SPARE_MS = 1_500

/** Checks at the domain's mail servers directly. */
export const smtp = provider(verifyVendors, {
  vendor,
  settings,
  rank: 90,
  timeoutMs: ({ left_ms }) => left_ms + SPARE_MS,
  serves: ({ hosts }) => hosts.length > 0,
  run: async (input, context) => await (await import('../verify/smtp/check-mailbox.js')).checkMailbox(input, context),
})
