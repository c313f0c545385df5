import { vendor } from '../../core/sdk/index.js'

/** ffmpeg and ffprobe of this machine. */
export const ffmpeg = vendor({
  id: 'ffmpeg',
  title: 'FFmpeg (local)',
  home: 'https://ffmpeg.org/documentation.html',
  programs: { ffmpeg: 'ffmpeg', ffprobe: 'ffmpeg', bwrap: 'bubblewrap' },
})
