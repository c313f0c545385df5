import { Fault, isRecord, provider, SchemaCompiler, type ProviderContext } from '../../../core/sdk/index.js'
import { subtitleVendors } from '../../subtitles/contract.js'
import { whisper as vendor } from '../../_vendors/whisper.js'
import { audioVendors, speechVendors, type Answer, type Question } from '../contract.js'
import { isWhisperLanguage } from '../language.js'
import { assertVoiced, noSpeech } from '../no-speech.js'
import { inPieces } from '../pieces.js'
import { withSpeakers } from '../speakers.js'
import { HEAD_BYTES, samplesAt } from '../wav.js'
import { whisperEngine } from '../whisper-engine.js'
import { readWhisper, whisperReply } from '../whisper-reply.js'

/** Four minutes are 7.7 MB. */
const PIECES = { mostSeconds: 240, atOnce: 1 }
const PIECE_BYTES = 64 * 1024 * 1024

const shape = new SchemaCompiler().compile(whisperReply)

const whisper = {
  vendor,
  rank: 70,
  serves: ({ language }: Question) => language === null || isWhisperLanguage(language),
  run: async (question: Question, context: ProviderContext): Promise<Answer> => {
    assertVoiced(question)
    const engine = await context.use(whisperEngine)
    const { language, timed, audio } = question
    const answer = await inPieces(question, context, PIECES, async (file, { from, to }) => {
      const wav = await context.scratch.bytes(file, PIECE_BYTES)
      const bytes = wav.subarray(samplesAt(wav.subarray(0, HEAD_BYTES)) ?? 0)
      const onEvent = (event: unknown): void => {
        const done = isRecord(event) && typeof event.done === 'number' ? event.done : 0
        context.progress('transcribing', undefined, Math.round(from + done), Math.round(audio.duration))
      }
      const { result } = await engine.ask(context, { input: { language }, bytes, onEvent })
      if (!shape.check(result)) throw new Fault('broken', 'Whisper answered in an unknown format.', { internal: shape.explain() })
      return readWhisper(result, { duration: to - from, language, timed })
    })
    if (answer === null) throw noSpeech(question)
    return question.speakers ? await withSpeakers(answer, question, context) : answer
  },
}

export const whisperSpeech = provider(speechVendors, whisper)
export const whisperAudio = provider(audioVendors, whisper)
export const whisperSubtitles = provider(subtitleVendors, whisper)
