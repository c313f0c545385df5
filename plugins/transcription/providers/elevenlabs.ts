import { httpProvider, Type, type Static } from '../../../core/sdk/index.js'
import { subtitleVendors } from '../../subtitles/contract.js'
import { elevenlabs as vendor } from '../../_vendors/elevenlabs.js'
import { audioVendors, type Question } from '../contract.js'
import { languageCode } from '../language.js'
import { settings } from '../settings.js'
import { answerOfWords, optionalNumber, optionalText, vendorMs } from '../vendor-words.js'

const REPLY_BYTES = 64 * 1024 * 1024

const reply = Type.Object({
  text: Type.String(),
  language_code: optionalText,
  words: Type.Array(
    Type.Object({
      text: Type.String(),
      type: Type.String(),
      start: optionalNumber,
      end: optionalNumber,
      speaker_id: optionalText,
      logprob: optionalNumber,
    }),
  ),
})

const elevenlabs = {
  vendor,
  settings,
  timeoutMs: vendorMs,
  reply,
  request: (
    { audio, language, speakers }: Question,
    { settings: { elevenlabs_model: model } }: { readonly settings: Readonly<Static<typeof settings>> },
  ) => ({
    method: 'POST' as const,
    path: '/v1/speech-to-text',
    multipart: [
      { name: 'model_id', data: model },
      ...(language === null ? [] : [{ name: 'language_code', data: language }]),
      { name: 'diarize', data: String(speakers) },
      { name: 'timestamps_granularity', data: 'word' },
      { name: 'tag_audio_events', data: 'false' },
      { name: 'file', filename: 'audio.wav', contentType: 'audio/wav', data: audio.file },
    ],
    maxBytes: REPLY_BYTES,
  }),
  /** Blanks and sounds such as laughter are separate entries among the words. */
  map: ({ text, language_code: language, words }: Static<typeof reply>, question: Question) =>
    answerOfWords(question, {
      text,
      language: languageCode(language),
      words: words
        .filter(({ type }) => type === 'word')
        .flatMap(({ text: word, start, end, speaker_id: speaker = null, logprob }) =>
          typeof start !== 'number' || typeof end !== 'number'
            ? []
            : [{ text: word, start, end, confidence: typeof logprob === 'number' ? Math.exp(logprob) : null, speaker }],
        ),
    }),
}

export const elevenlabsAudio = httpProvider(audioVendors, { ...elevenlabs, rank: 30 })
export const elevenlabsSubtitles = httpProvider(subtitleVendors, { ...elevenlabs, rank: 30 })
