import { provider } from '../../../core/sdk/index.js'
import { anthropic as vendor } from '../../_vendors/anthropic.js'
import { invoiceVendors } from '../contract.js'
import { modelRecord, servesModel } from '../model.js'

/** This vendor's model, shown the document. */
export const anthropicInvoices = provider(invoiceVendors, {
  vendor,
  rank: 61,
  timeoutMs: 40_000,
  serves: servesModel,
  run: (input, context) => modelRecord(input, context, vendor.id),
})
