import { Fault, provider } from '../../../core/sdk/index.js'
import { ytDlp as vendor } from '../../_vendors/yt-dlp.js'
import { videoInfo } from '../contract.js'
import { listed } from '../info/formats.js'
import { ANY, readInfo } from '../info/read.js'

export const ytDlpInfo = provider(videoInfo, {
  vendor,
  rank: 10,
  run: async ({ url }, ctx) => {
    const info = await readInfo(url, ANY, ctx)
    if (info.isGuess)
      throw new Fault(
        'missing',
        'The address is a file that its site calls neither video nor audio. video.download reads the file itself.',
        { final: true },
      )
    return {
      title: info.title,
      duration_seconds: info.duration,
      thumbnail_url: info.thumbnail,
      uploader: info.uploader,
      upload_date: info.date,
      view_count: info.views,
      platform: info.platform,
      formats: listed(info),
    }
  },
})
