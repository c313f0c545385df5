import { Fault, handle, merged } from 'capstan/sdk'
import { mediaProbe } from 'capstan/contracts/media'
import { gathered, probed, through } from './contract.js'

export const probe = handle(through, async ({ url }, ctx) => {
  const file = await ctx.scratch.fetch(url)
  const { container } = await ctx.call(mediaProbe, { file })
  const { url: file_url, size } = await ctx.scratch.store(file, { name: 'probed' })
  return { container, file_url, file_size: size }
})

export const look = handle(probed, async ({ url }, ctx) => {
  const { container } = await ctx.call(mediaProbe, { file: await ctx.scratch.fetch(url) })
  return { container }
})

export const gather = handle(gathered, async (input, ctx) => {
  const answers = await ctx.gather(gathered, input)
  const all = merged(answers)
  if (all === null) throw new Fault('missing', 'No vendor answered.')
  return { ...all.data, vendors: answers.length }
})
