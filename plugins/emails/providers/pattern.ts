import { provider } from '../../../core/sdk/index.js'
import { pattern as vendor } from '../../_vendors/pattern.js'
import { findVendors } from '../find/contract.js'
import { canGuess, guessAddress } from '../find/guess.js'
import { settings } from '../settings.js'

/** Beyond the conversation: names of hosts that do not come, a place that is not free. */
const SPARE_MS = 1_500

/** Makes the usual addresses of the name and asks the mail server for them. */
export const pattern = provider(findVendors, {
  vendor,
  settings,
  rank: 90,
  timeoutMs: ({ left_ms }) => left_ms + SPARE_MS,
  serves: (input) => canGuess(input),
  run: (input, context) => guessAddress(input, context),
})
