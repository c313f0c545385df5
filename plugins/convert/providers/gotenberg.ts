import { Fault, provider, type ProviderContext } from '../../../core/sdk/index.js'
import { gotenberg as vendor } from '../../_vendors/gotenberg.js'
import { convertVendors } from '../contract.js'
import { extensionOf } from '../formats/find.js'
import { GOTENBERG } from '../pairs/gotenberg.js'
import { makes } from '../pairs/pairs.js'
import { resultOf } from '../result.js'

/** From this version on its LibreOffice ignores a document's external references (release notes of Gotenberg 8.34). */
const SAFE = { major: 8, minor: 34 } as const

/** Throws Fault `broken` for an instance that may fetch a document's references inside the operator's network; it gets no caller's file. */
async function assertSafe(ctx: ProviderContext): Promise<void> {
  const [, major = '', minor = ''] = /^\s*v?(\d+)\.(\d+)\./.exec(await ctx.api.text({ path: '/version' })) ?? []
  const safe = Number(major) > SAFE.major || (Number(major) === SAFE.major && minor !== '' && Number(minor) >= SAFE.minor)
  if (safe) return
  const message = `The Gotenberg instance must be version ${SAFE.major}.${SAFE.minor} or newer: older ones fetch what a document links to.`
  throw new Fault('broken', message, { internal: `version ${major}.${minor}` })
}

/**
 * Converts one file to PDF by its LibreOffice, which ignores external references. Never by its Chromium, which opens
 * a page's references from inside the operator's network.
 */
export const gotenberg = provider(convertVendors, {
  vendor,
  rank: 40,
  serves: ({ from, to }) => makes(GOTENBERG, from, to),
  run: async ({ file, from, to }, ctx) => {
    await assertSafe(ctx)
    ctx.progress('converting', to)
    const { file: made } = await ctx.api.file(
      {
        method: 'POST',
        path: '/forms/libreoffice/convert',
        multipart: [{ name: 'files', filename: `document.${extensionOf(from)}`, data: file }],
      },
      { kinds: ['application/pdf'] },
    )
    return await resultOf(ctx, { source: { file, from }, files: [made], to, by: 'vendor' })
  },
})
