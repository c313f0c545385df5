import { provider } from '../../../core/sdk/index.js'
import { ffmpeg as vendor } from '../../_vendors/ffmpeg.js'
import { mediaProbe } from '../contract.js'
import { assertSucceeded, guarded, SOURCE } from '../input.js'
import { ENTRIES, probed } from '../probed.js'

const PROBE_MS = 20_000

export const ffprobe = provider(mediaProbe, {
  vendor,
  rank: 10,
  run: async ({ file, from }, context) => {
    const wanted = ['-v', 'error', '-of', 'json', '-show_entries', ENTRIES]
    const result = await context.exec('ffprobe', [...wanted, ...guarded(from), '-i', SOURCE], {
      files: [{ name: SOURCE, data: file }],
      timeoutMs: PROBE_MS,
      diskMb: 1,
    })
    assertSucceeded(result, { done: 'read', timeLeft: context.timeLeft() })
    return probed(result.stdout, result.stdoutCut)
  },
})
