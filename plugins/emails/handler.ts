import { handle } from '../../core/sdk/index.js'
import { emailsFind } from './find/contract.js'
import { settings } from './settings.js'
import { emailsVerify } from './verify/contract.js'

// Their implementation is loaded with the first call.
export const emailsFindHandler = handle(
  emailsFind,
  async (input, ctx) => await (await import('./find/find-address.js')).findAddress(input, ctx),
  { settings },
)
export const emailsVerifyHandler = handle(
  emailsVerify,
  async ({ email }, ctx) => await (await import('./verify/verify-address.js')).verifyAddress(email, ctx),
  { settings },
)
