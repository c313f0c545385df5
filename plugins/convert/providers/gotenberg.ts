import { provider } from '../../../core/sdk/index.js'
import { gotenberg as vendor } from '../../_vendors/gotenberg.js'
import { convertVendors } from '../contract.js'
import { extensionOf } from '../formats/find.js'
import { GOTENBERG } from '../pairs/gotenberg.js'
import { makes } from '../pairs/pairs.js'
import { resultOf } from '../result.js'

/**
 * One file to PDF by its LibreOffice, which drops what a document links to. Never by its Chromium: that opens what a page names, from within the
 * operator's network.
 */
export const gotenberg = provider(convertVendors, {
  vendor,
  rank: 40,
  serves: ({ from, to }) => makes(GOTENBERG, from, to),
  run: async ({ file, from, to }, ctx) => {
    ctx.progress('converting', to)
    const { file: made } = await ctx.api.file(
      {
        method: 'POST',
        path: '/forms/libreoffice/convert',
        multipart: [{ name: 'files', filename: `document.${extensionOf(from)}`, data: file }],
      },
      { kinds: ['application/pdf'] },
    )
    return await resultOf(ctx, { files: [made], to })
  },
})
