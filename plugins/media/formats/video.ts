import type { MediaFormats } from './types.js'

const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26', '-pix_fmt', 'yuv420p']
const AAC = ['-c:a', 'aac', '-b:a', '128k']
const QUICK = ['-movflags', '+faststart']
const VP8 = ['-c:v', 'libvpx', '-b:v', '1M', '-deadline', 'realtime', '-cpu-used', '8']
const OPUS = ['-c:a', 'libopus', '-b:a', '64k']
const MPEG2 = ['-c:v', 'mpeg2video', '-q:v', '4', '-pix_fmt', 'yuv420p', '-r', '25']
const MP2 = ['-c:a', 'mp2', '-b:a', '192k', '-ar', '48000']
const WMA = ['-c:a', 'wmav2', '-b:a', '128k']
const MP3 = ['-c:a', 'libmp3lame', '-q:a', '4']
const SILENT = ['-an']
/** A palette from the video's own colours, at a frame rate that programs can play. */
const PALETTE = ['fps=12', 'split[one][other];[one]palettegen[palette];[other][palette]paletteuse']

/** Video with or without audio (https://ffmpeg.org/ffmpeg-formats.html, https://ffmpeg.org/ffmpeg-codecs.html). */
export const VIDEO: MediaFormats = {
  mp4: { type: 'video/mp4', demuxer: 'mov', writing: [...H264, ...AAC, ...QUICK, '-f', 'mp4'] },
  m4v: { type: 'video/x-m4v', demuxer: 'mov', writing: [...H264, ...AAC, ...QUICK, '-f', 'ipod'] },
  mov: { type: 'video/quicktime', demuxer: 'mov', writing: [...H264, ...AAC, ...QUICK, '-f', 'mov'] },
  f4v: { type: 'video/mp4', demuxer: 'mov', writing: [...H264, ...AAC, '-f', 'f4v'] },
  '3gp': { type: 'video/3gpp', demuxer: 'mov', writing: [...H264, ...AAC, '-f', '3gp'] },
  '3g2': { type: 'video/3gpp2', demuxer: 'mov', writing: [...H264, ...AAC, '-f', '3g2'] },
  mkv: { type: 'video/x-matroska', demuxer: 'matroska', writing: [...H264, ...AAC, '-f', 'matroska'] },
  webm: { type: 'video/webm', demuxer: 'matroska', writing: [...VP8, ...OPUS, '-f', 'webm'] },
  avi: { type: 'video/x-msvideo', demuxer: 'avi', writing: ['-c:v', 'mpeg4', '-q:v', '4', ...MP3, '-f', 'avi'] },
  flv: { type: 'video/x-flv', demuxer: 'flv', writing: [...H264, ...AAC, '-f', 'flv'] },
  wmv: { type: 'video/x-ms-wmv', demuxer: 'asf', writing: ['-c:v', 'wmv2', '-q:v', '4', ...WMA, '-f', 'asf'] },
  asf: { type: 'video/x-ms-asf', demuxer: 'asf', writing: ['-c:v', 'msmpeg4', '-q:v', '4', ...WMA, '-f', 'asf'] },
  mpg: { type: 'video/mpeg', demuxer: 'mpeg', writing: [...MPEG2, ...MP2, '-f', 'mpeg'] },
  vob: { type: 'video/dvd', demuxer: 'mpeg', writing: [...MPEG2, ...MP2, '-f', 'vob'] },
  ts: { type: 'video/mp2t', demuxer: 'mpegts', writing: [...H264, ...AAC, '-f', 'mpegts'] },
  m2ts: { type: 'video/mp2t', demuxer: 'mpegts', writing: [...H264, '-c:a', 'ac3', '-mpegts_m2ts_mode', '1', '-f', 'mpegts'] },
  ogv: { type: 'video/ogg', demuxer: 'ogg', writing: ['-c:v', 'libtheora', '-q:v', '6', '-c:a', 'libvorbis', '-q:a', '4', '-f', 'ogg'] },
  mxf: { type: 'application/mxf', demuxer: 'mxf', writing: [...MPEG2, '-c:a', 'pcm_s16le', '-ar', '48000', '-f', 'mxf'] },
  swf: {
    type: 'application/vnd.adobe.flash.movie',
    demuxer: 'swf',
    writing: ['-c:v', 'flv', '-q:v', '4', ...MP3, '-ar', '44100', '-f', 'swf'],
  },
  nut: { type: 'video/x-nut', demuxer: 'nut', writing: [...H264, ...AAC, '-f', 'nut'] },
  wtv: { type: 'video/x-ms-wtv', demuxer: 'wtv', writing: [...MPEG2, ...MP2, '-f', 'wtv'] },
  rm: { type: 'application/vnd.rn-realmedia', demuxer: 'rm', writing: ['-c:v', 'rv20', '-q:v', '4', '-c:a', 'ac3', '-f', 'rm'] },
  dv: { type: 'video/x-dv', demuxer: 'dv', writing: ['-target', 'pal-dv'] },
  ivf: { type: 'video/x-ivf', demuxer: 'ivf', writing: [...VP8, ...SILENT, '-f', 'ivf'] },
  mjpeg: {
    type: 'video/x-motion-jpeg',
    demuxer: 'mjpeg',
    writing: ['-c:v', 'mjpeg', '-q:v', '4', '-pix_fmt', 'yuvj420p', ...SILENT, '-f', 'mjpeg'],
  },
  m1v: {
    type: 'video/mpeg',
    demuxer: 'mpegvideo',
    writing: ['-c:v', 'mpeg1video', '-q:v', '4', '-r', '25', ...SILENT, '-f', 'mpeg1video'],
  },
  m2v: { type: 'video/mpeg', demuxer: 'mpegvideo', writing: [...MPEG2, ...SILENT, '-f', 'mpeg2video'] },
  h264: { type: 'video/h264', demuxer: 'h264', writing: [...H264, ...SILENT, '-f', 'h264'] },
  hevc: { type: 'video/h265', demuxer: 'hevc', writing: ['-c:v', 'libx265', '-preset', 'veryfast', '-crf', '28', ...SILENT, '-f', 'hevc'] },
  y4m: { type: 'video/x-yuv4mpeg', demuxer: 'yuv4mpegpipe', writing: ['-pix_fmt', 'yuv420p', ...SILENT, '-f', 'yuv4mpegpipe'] },
  gif: { type: 'image/gif', demuxer: 'gif', writing: ['-c:v', 'gif', ...SILENT, '-f', 'gif'], filters: PALETTE },
  apng: { type: 'image/apng', demuxer: 'apng', writing: ['-c:v', 'apng', '-plays', '0', ...SILENT, '-f', 'apng'], filters: ['fps=12'] },
  webp: { type: 'image/webp', writing: ['-c:v', 'libwebp_anim', '-loop', '0', ...SILENT, '-f', 'webp'], filters: ['fps=12'] },
}
