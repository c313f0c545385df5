import { provider } from '../../../core/sdk/index.js'
import { openaiCompatible as vendor } from '../../_vendors/openai-compatible.js'
import { invoiceVendors } from '../contract.js'
import { modelRecord, servesModel } from '../model.js'

/** Reads the document with this vendor's model. */
export const openaiCompatibleInvoices = provider(invoiceVendors, {
  vendor,
  rank: 60,
  timeoutMs: 40_000,
  serves: servesModel,
  run: (input, context) => modelRecord(input, context, vendor.id),
})
