import { provider } from '../../../core/sdk/index.js'
import { anthropic as vendor } from '../../_vendors/anthropic.js'
import { invoiceVendors } from '../contract.js'
import { modelRecord, servesModel } from '../model.js'

/** Reads the document with this vendor's model. */
export const anthropicInvoices = provider(invoiceVendors, {
  vendor,
  rank: 61,
  timeoutMs: 40_000,
  serves: servesModel,
  run: (input, context) => modelRecord(input, context, vendor.id),
})
