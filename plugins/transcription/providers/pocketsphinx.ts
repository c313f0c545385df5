import { Fault, provider, type ProviderContext } from '../../../core/sdk/index.js'
import { programFault } from '../../_shared/program-fault.js'
import { subtitleVendors } from '../../subtitles/contract.js'
import { pocketsphinx as vendor } from '../../_vendors/pocketsphinx.js'
import { audioVendors, speechVendors, type Answer, type Question } from '../contract.js'
import { assertVoiced, noSpeech } from '../no-speech.js'
import { inPieces } from '../pieces.js'
import { readSphinx } from '../sphinx-output.js'
import { meanConfidence } from '../words.js'

/** It takes up to a second per second of speech. */
const PIECES = { mostSeconds: 45, atOnce: 2 }
const MOST_SECONDS = 300
/** Confidence below which most words are wrong. */
const LEAST_CONFIDENCE = 0.6
const LIMITS = { memoryMb: 512, diskMb: 16 }

const sphinx = {
  vendor,
  rank: 90,
  serves: ({ language, audio }: Question) => language === 'en' && audio.duration <= MOST_SECONDS,
  run: async (question: Question, context: ProviderContext): Promise<Answer> => {
    assertVoiced(question)
    const answer = await inPieces(question, context, PIECES, async (file, { from, to }) => {
      const result = await context.exec('pocketsphinx_continuous', ['-infile', 'audio.wav', '-time', 'yes', '-logfn', '/dev/null'], {
        files: [{ name: 'audio.wav', data: file }],
        ...LIMITS,
      })
      if (result.code !== 0)
        throw programFault(result, { done: 'transcribed', refused: 'The recording cannot be read.', timeLeft: context.timeLeft() })
      return readSphinx(result.stdout, to - from)
    })
    if (answer === null) throw noSpeech(question)
    const confidence = meanConfidence(answer.words) ?? 0
    if (confidence < LEAST_CONFIDENCE)
      throw new Fault('missing', 'The speech was not recognised well enough to transcribe it.', { inconclusive: true })
    return answer
  },
}

export const pocketsphinxSpeech = provider(speechVendors, sphinx)
export const pocketsphinxAudio = provider(audioVendors, sphinx)
export const pocketsphinxSubtitles = provider(subtitleVendors, sphinx)
