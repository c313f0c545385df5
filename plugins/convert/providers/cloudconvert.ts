import { poll, provider, type ScratchFile } from '../../../core/sdk/index.js'
import { cloudconvert as vendor } from '../../_vendors/cloudconvert.js'
import { job, spentBy, stateOf, TASKS, uploadOf } from '../cloudconvert-job.js'
import { convertVendors } from '../contract.js'
import { extensionOf } from '../formats/find.js'
import { CLOUDCONVERT } from '../pairs/cloudconvert.js'
import { makes } from '../pairs/pairs.js'
import { resultOf } from '../result.js'

export const cloudconvert = provider(convertVendors, {
  vendor,
  rank: 42,
  serves: ({ from, to }) => makes(CLOUDCONVERT, from, to),
  run: async ({ file, from, to, name }, ctx) => {
    const tasks = {
      [TASKS.source]: { operation: 'import/upload' },
      [TASKS.converted]: { operation: 'convert', input: TASKS.source, input_format: extensionOf(from), output_format: extensionOf(to) },
      [TASKS.result]: { operation: 'export/url', input: TASKS.converted },
    }
    const made = await ctx.api.json({ method: 'POST', path: '/jobs', json: { tasks } }, job)
    const path = `/jobs/${encodeURIComponent(made.data.id)}`
    // Never withdrawn: the vendor deletes the files with the job, also after a success.
    ctx.cleanUp((own) => own.api.text({ method: 'DELETE', path }))
    const { url, fields } = uploadOf(made)
    await ctx.api.upload(url, { method: 'POST', multipart: [...fields, { name: 'file', filename: name, data: file }] })
    const { urls, credits } = await poll(ctx, {
      ask: (own) => own.api.json({ path }, job),
      read: (state) => {
        const spent = spentBy(state)
        if (spent !== null) ctx.cost(spent, 'credits')
        return stateOf(state)
      },
    })
    const files: ScratchFile[] = []
    for (const each of urls) files.push((await ctx.api.download(each)).file)
    return await resultOf(ctx, { source: { file, from }, files, to, cost: credits, by: 'vendor' })
  },
})
