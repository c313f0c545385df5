import { Fault } from '../../core/sdk/index.js'
import type { Question } from './contract.js'

/**
 * The Fault of a recording in which a vendor found no words. Where nothing in the recording sounds like a voice either, nobody else is asked: models of speech
 * make words up for noise and music.
 */
export function noSpeech({ audio }: Pick<Question, 'audio'>): Fault {
  return new Fault('missing', 'No words were heard in the recording.', { final: !audio.voiced })
}

/** For engines that make words up where nobody speaks. */
export function assertVoiced({ audio }: Pick<Question, 'audio'>): void {
  if (!audio.voiced) throw new Fault('missing', 'Nothing in the recording sounds like a voice.')
}
