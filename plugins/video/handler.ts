import { handle } from '../../core/sdk/index.js'
import { videoDownload, videoInfo } from './contract.js'

/** The address is checked before any vendor gets it: programs connect through the guard, a vendor's own instance may not. */
export const info = handle(videoInfo, async (input, ctx) => {
  await ctx.assertPublic(input.url)
  return await ctx.call(videoInfo, input)
})

export const download = handle(videoDownload, async (input, ctx) => {
  await ctx.assertPublic(input.url)
  return await ctx.call(videoDownload, input)
})
