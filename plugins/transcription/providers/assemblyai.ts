import { Fault, poll, provider, type ProviderContext, type Static, Type } from '../../../core/sdk/index.js'
import { subtitleVendors } from '../../subtitles/contract.js'
import { assemblyai as vendor } from '../../_vendors/assemblyai.js'
import { audioVendors, speechVendors, type Answer, type Question } from '../contract.js'
import { languageCode } from '../language.js'
import { noSpeech } from '../no-speech.js'
import { settings } from '../settings.js'
import { answerOfWords, optionalNumber, optionalText } from '../vendor-words.js'

type Settings = Static<typeof settings>

const REPLY_BYTES = 64 * 1024 * 1024
/** English accents with their own codes, by region. */
const ENGLISH: Readonly<Record<string, string>> = { US: 'en_us', GB: 'en_uk', AU: 'en_au' }

const Uploaded = Type.Object({ upload_url: Type.String({ minLength: 1 }) })
const Word = Type.Object({
  text: Type.String(),
  start: Type.Number(),
  end: Type.Number(),
  confidence: optionalNumber,
  speaker: optionalText,
})
const Transcript = Type.Object({
  id: Type.String({ minLength: 1 }),
  status: Type.String(),
  text: optionalText,
  language_code: optionalText,
  words: Type.Optional(Type.Union([Type.Array(Word), Type.Null()])),
  error: optionalText,
})
type State = Static<typeof Transcript>

const assemblyai = {
  vendor,
  settings,
  run: async (question: Question, context: ProviderContext<Settings>): Promise<Answer> => {
    const { audio, language, region, speakers } = question
    context.progress('sending')
    const bytes = { data: audio.file, contentType: 'application/octet-stream' }
    const { upload_url } = await context.api.json({ method: 'POST', path: '/v2/upload', bytes }, Uploaded)
    const json = {
      audio_url: upload_url,
      speech_models: context.settings.assemblyai_models,
      ...(language === null ? { language_detection: true } : { language_code: codeOf(language, region) }),
      speaker_labels: speakers,
    }
    const first = await context.api.json({ method: 'POST', path: '/v2/transcript', json }, Transcript)
    const path = `/v2/transcript/${encodeURIComponent(first.id)}`
    // Also after a success: it deletes the transcript from the vendor's storage.
    context.cleanUp((own) => own.api.text({ method: 'DELETE', path }))
    return await poll<Settings, State, Answer>(context, {
      first,
      ask: (own) => own.api.json({ path, maxBytes: REPLY_BYTES }, Transcript),
      read: (state) => {
        if (state.status === 'queued' || state.status === 'processing') return { state: 'running', step: 'transcribing' }
        if (state.status === 'error') return { state: 'failed', fault: failure(state.error ?? '', question) }
        if (state.status !== 'completed')
          return { state: 'failed', fault: new Fault('broken', 'AssemblyAI returned an unknown status of the transcript.') }
        return { state: 'done', result: answerOf(state, question) }
      },
      firstMs: 2_000,
      factor: 1.3,
      mostMs: 5_000,
    })
  },
}

export const assemblyaiSpeech = provider(speechVendors, { ...assemblyai, rank: 40 })
export const assemblyaiAudio = provider(audioVendors, { ...assemblyai, rank: 10 })
export const assemblyaiSubtitles = provider(subtitleVendors, { ...assemblyai, rank: 20 })

function codeOf(language: string, region: string | null): string {
  return language === 'en' && region !== null ? (ENGLISH[region] ?? language) : language
}

/** Times are in milliseconds, speakers are capital letters. */
function answerOf({ text = null, language_code: language, words }: State, question: Question): Answer {
  return answerOfWords(question, {
    text,
    language: languageCode(language),
    words: (words ?? []).map(({ text: word, start, end, confidence = null, speaker = null }) => ({
      ...{ text: word, start: start / 1_000, end: end / 1_000, confidence, speaker },
    })),
  })
}

function failure(message: string, question: Question): Fault {
  if (/no spoken audio/i.test(message)) return noSpeech(question)
  return new Fault('missing', 'AssemblyAI could not transcribe the recording.', { inconclusive: true, internal: message.slice(0, 300) })
}
