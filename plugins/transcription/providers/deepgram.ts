import { httpProvider, Type, type Static } from '../../../core/sdk/index.js'
import { subtitleVendors } from '../../subtitles/contract.js'
import { deepgram as vendor } from '../../_vendors/deepgram.js'
import { audioVendors, speechVendors, type Question } from '../contract.js'
import { languageCode } from '../language.js'
import { settings } from '../settings.js'
import { answerOfWords, optionalNumber, optionalText, vendorMs } from '../vendor-words.js'

const REPLY_BYTES = 64 * 1024 * 1024

const Word = Type.Object({
  word: Type.String(),
  start: Type.Number(),
  end: Type.Number(),
  confidence: optionalNumber,
  punctuated_word: optionalText,
  speaker: optionalNumber,
})
const Channel = Type.Object({
  detected_language: optionalText,
  alternatives: Type.Array(Type.Object({ transcript: Type.String(), words: Type.Optional(Type.Array(Word)) })),
})
const reply = Type.Object({ results: Type.Object({ channels: Type.Array(Channel) }) })

const deepgram = {
  vendor,
  settings,
  timeoutMs: vendorMs,
  reply,
  request: (
    { audio, language, region, speakers }: Question,
    { settings: { deepgram_model: model } }: { readonly settings: Readonly<Static<typeof settings>> },
  ) => ({
    method: 'POST' as const,
    path: '/v1/listen',
    query: {
      model,
      smart_format: true,
      ...(language === null ? { detect_language: true } : { language: region === null ? language : `${language}-${region}` }),
      ...(speakers ? { diarize_model: 'latest' } : {}),
    },
    bytes: { data: audio.file, contentType: 'audio/wav' },
    maxBytes: REPLY_BYTES,
  }),
  map: ({ results: { channels } }: Static<typeof reply>, question: Question) => {
    const best = channels[0]?.alternatives[0]
    return answerOfWords(question, {
      text: best?.transcript ?? null,
      language: languageCode(channels[0]?.detected_language),
      words: (best?.words ?? []).map(({ word, start, end, confidence = null, punctuated_word: written, speaker = null }) => ({
        ...{ text: written ?? word, start, end, confidence, speaker },
      })),
    })
  },
}

export const deepgramSpeech = httpProvider(speechVendors, { ...deepgram, rank: 10 })
export const deepgramAudio = httpProvider(audioVendors, { ...deepgram, rank: 20 })
export const deepgramSubtitles = httpProvider(subtitleVendors, { ...deepgram, rank: 10 })
