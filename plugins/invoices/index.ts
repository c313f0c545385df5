import { plugin, SDK_VERSION } from '../../core/sdk/index.js'
import { settings } from './settings.js'

export const invoices = plugin({
  name: 'invoices',
  version: '1.0.0',
  sdk: SDK_VERSION,
  title: 'Reads invoices, receipts and credit notes',
  settings,
})
