import { provider } from '../../../core/sdk/index.js'
import { pattern as vendor } from '../../_vendors/pattern.js'
import { findVendors } from '../find/contract.js'
import { canGuess, guessAddress } from '../find/guess.js'
import { settings } from '../settings.js'

/** Time beyond the conversation: unresolved host names, a place that is not free. */
const SPARE_MS = 1_500

/** Builds the usual addresses of the name and checks them at the mail server. */
export const pattern = provider(findVendors, {
  vendor,
  settings,
  rank: 90,
  timeoutMs: ({ left_ms }) => left_ms + SPARE_MS,
  serves: (input) => canGuess(input),
  run: (input, context) => guessAddress(input, context),
})
