import { mediaPairs } from '../../../../plugins/media/contract.js'
import { animated, playing, says, sounding, type Check } from '../checks.js'
import { FILMS, SOUNDS, SUBTITLES } from '../seeds/media.js'
import { WORD } from '../seeds/word.js'
import { roundTrips } from './group.js'
import type { Trip } from './types.js'

const engine = 'ffmpeg'

/** Sound, films and subtitles; the sound and the subtitles of films too. */
export function media(): Trip[] {
  const [sounds, films, soundOfFilms, subtitles, subtitlesOfFilms] = mediaPairs()
  if (!sounds || !films || !soundOfFilms || !subtitles || !subtitlesOfFilms) throw new Error('there are fewer kinds of media')
  const sound = (to: string): Check | undefined => (to === 'wav' || to === 'flac' ? sounding() : undefined)
  const film = (to: string): Check | undefined => {
    if (to === 'mp4' || to === 'mkv') return playing()
    return to === 'webp' ? animated() : undefined
  }
  const data = FILMS['mkv'] ?? ''
  return [
    ...roundTrips({ engine, ...sounds, samples: SOUNDS, hubs: ['wav', 'au'], shown: ['wav', 'flac'], check: sound }),
    ...roundTrips({ engine, ...films, samples: FILMS, hubs: ['mkv', 'y4m'], shown: ['mp4', 'mkv'], check: film }),
    ...roundTrips({ engine, ...subtitles, samples: SUBTITLES, hubs: ['srt', 'sub'], shown: ['srt', 'vtt'], check: () => says(WORD) }),
    { engine, data, steps: [{ from: 'mkv', to: 'wav', check: sounding() }] },
    { engine, data, steps: [{ from: 'mkv', to: 'srt', check: says(WORD) }] },
  ]
}
