import { sound, type MediaFormats } from './types.js'

/** Codecs that are complete but marked experimental by FFmpeg. */
const STRICT = ['-strict', '-2']
const TELEPHONE = ['-ar', '8000', '-ac', '1']

/** Audio only (https://ffmpeg.org/ffmpeg-formats.html, https://ffmpeg.org/ffmpeg-codecs.html). */
export const AUDIO: MediaFormats = {
  mp3: { type: 'audio/mpeg', demuxer: 'mp3', writing: sound('libmp3lame', 'mp3', '-q:a', '4') },
  m4a: { type: 'audio/mp4', demuxer: 'mov', writing: sound('aac', 'ipod', '-b:a', '128k', '-movflags', '+faststart') },
  m4b: { type: 'audio/mp4', demuxer: 'mov', writing: sound('aac', 'ipod', '-b:a', '96k', '-movflags', '+faststart') },
  aac: { type: 'audio/aac', demuxer: 'aac', writing: sound('aac', 'adts', '-b:a', '128k') },
  wav: { type: 'audio/wav', demuxer: 'wav', writing: sound('pcm_s16le', 'wav') },
  flac: { type: 'audio/flac', demuxer: 'flac', writing: sound('flac', 'flac') },
  ogg: { type: 'audio/ogg', demuxer: 'ogg', writing: sound('libvorbis', 'ogg', '-q:a', '4') },
  opus: { type: 'audio/ogg', demuxer: 'ogg', writing: sound('libopus', 'ogg', '-b:a', '64k') },
  spx: { type: 'audio/ogg', demuxer: 'ogg', writing: sound('libspeex', 'ogg', '-ar', '32000') },
  wma: { type: 'audio/x-ms-wma', demuxer: 'asf', writing: sound('wmav2', 'asf', '-b:a', '128k') },
  aiff: { type: 'audio/aiff', demuxer: 'aiff', writing: sound('pcm_s16be', 'aiff') },
  au: { type: 'audio/basic', demuxer: 'au', writing: sound('pcm_s16be', 'au') },
  ac3: { type: 'audio/ac3', demuxer: 'ac3', writing: sound('ac3', 'ac3', '-b:a', '192k') },
  eac3: { type: 'audio/eac3', demuxer: 'eac3', writing: sound('eac3', 'eac3', '-b:a', '192k') },
  caf: { type: 'audio/x-caf', demuxer: 'caf', writing: sound('pcm_s16be', 'caf') },
  w64: { type: 'audio/x-w64', demuxer: 'w64', writing: sound('pcm_s16le', 'w64') },
  wv: { type: 'audio/x-wavpack', demuxer: 'wv', writing: sound('wavpack', 'wv') },
  tta: { type: 'audio/x-tta', demuxer: 'tta', writing: sound('tta', 'tta') },
  mp2: { type: 'audio/mpeg', demuxer: 'mp3', writing: sound('mp2', 'mp2', '-b:a', '160k') },
  mka: { type: 'audio/x-matroska', demuxer: 'matroska', writing: sound('flac', 'matroska') },
  weba: { type: 'audio/webm', demuxer: 'matroska', writing: sound('libopus', 'webm', '-b:a', '64k') },
  dts: { type: 'audio/vnd.dts', demuxer: 'dts', writing: sound('dca', 'dts', ...STRICT, '-ar', '48000', '-b:a', '768k') },
  thd: { type: 'audio/vnd.dolby.mlp', demuxer: 'truehd', writing: sound('truehd', 'truehd', ...STRICT, '-ar', '48000') },
  mlp: { type: 'audio/vnd.dolby.mlp', demuxer: 'mlp', writing: sound('mlp', 'mlp', ...STRICT, '-ar', '48000') },
  voc: { type: 'audio/x-voc', demuxer: 'voc', writing: sound('pcm_u8', 'voc', '-ac', '1') },
  sox: { type: 'audio/x-sox', demuxer: 'sox', writing: sound('pcm_s32le', 'sox') },
  ircam: { type: 'audio/x-ircam', demuxer: 'ircam', writing: sound('pcm_s16le', 'ircam') },
  adx: { type: 'audio/x-adx', demuxer: 'adx', writing: sound('adpcm_adx', 'adx') },
  mmf: { type: 'application/vnd.smaf', demuxer: 'mmf', writing: sound('adpcm_yamaha', 'mmf', '-ar', '22050', '-ac', '1') },
  ra: { type: 'audio/vnd.rn-realaudio', demuxer: 'rm', writing: sound('real_144', 'rm', ...TELEPHONE) },
  amr: { type: 'audio/amr', demuxer: 'amr' },
  gsm: { type: 'audio/x-gsm', demuxer: 'gsm', writing: sound('libgsm', 'gsm', ...TELEPHONE) },
  g722: { type: 'audio/G722', demuxer: 'g722', writing: sound('g722', 'g722', '-ar', '16000', '-ac', '1') },
  c2: { type: 'audio/x-codec2', demuxer: 'codec2', writing: sound('libcodec2', 'codec2', ...TELEPHONE) },
}
