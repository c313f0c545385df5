import { provider } from '../../../core/sdk/index.js'
import { gemini as vendor } from '../../_vendors/gemini.js'
import { invoiceVendors } from '../contract.js'
import { modelRecord, servesModel } from '../model.js'

/** Reads the document with this vendor's model. */
export const geminiInvoices = provider(invoiceVendors, {
  vendor,
  rank: 62,
  timeoutMs: 40_000,
  serves: servesModel,
  run: (input, context) => modelRecord(input, context, vendor.id),
})
