import { Fault } from '../../core/sdk/index.js'
import type { Question } from './contract.js'

/**
 * The Fault of a recording in which a vendor found no words. If the recording does not sound like a voice either, no
 * other vendor is called: speech models hallucinate words from noise and music.
 */
export function noSpeech({ audio }: Pick<Question, 'audio'>): Fault {
  return new Fault('missing', 'No words were found in the recording.', { final: !audio.voiced })
}

/** For engines that hallucinate words without speech. */
export function assertVoiced({ audio }: Pick<Question, 'audio'>): void {
  if (!audio.voiced) throw new Fault('missing', 'Nothing in the recording sounds like a voice.')
}
