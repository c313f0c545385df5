import type { Format } from './format.js'

export const AUDIO: readonly Format[] = [
  { id: 'wav', title: 'WAV sound', family: 'audio', mime: 'audio/wav', aliases: ['wave'], is: { begins: [{ at: 8, bytes: 'WAVE' }] } },
  {
    id: 'mp3',
    title: 'MP3 sound',
    family: 'audio',
    mime: 'audio/mpeg',
    is: { begins: ['ID3', '\xff\xfb', '\xff\xf3', '\xff\xf2', '\xff\xfa'] },
  },
]
