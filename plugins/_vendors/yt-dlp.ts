import { vendor } from '../../core/sdk/index.js'

/** yt-dlp of this machine, with FFmpeg for what it downloads. It runs the scripts of sites in Deno, all of it in the sandbox. */
export const ytDlp = vendor({
  id: 'yt-dlp',
  title: 'yt-dlp (local)',
  home: 'https://github.com/yt-dlp/yt-dlp#readme',
  programs: { 'yt-dlp': 'npm run tools -- yt-dlp', python3: 'python3', ffmpeg: 'ffmpeg', ffprobe: 'ffmpeg', bwrap: 'bubblewrap' },
})
