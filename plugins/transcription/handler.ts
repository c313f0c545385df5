import { handle } from '../../core/sdk/index.js'
import { audioTranscribe, audioVendors, speechTranscribe, speechVendors } from './contract.js'
import { spokenLanguage } from './language.js'
import { recordingOf } from './source.js'
import { utterances } from './utterances.js'
import { bareWord, meanConfidence } from './words.js'

/** Decodes the recording once and calls the vendors in order for words. */
export const speechHandler = handle(speechTranscribe, async ({ audio_url, audio_base64, language }, ctx) => {
  const audio = await recordingOf(audio_url === null ? { audio_base64: audio_base64 ?? '' } : { audio_url }, ctx)
  const spoken = spokenLanguage(language)
  const languageInput = { language: spoken?.code ?? null, region: spoken?.region ?? null }
  const answer = await ctx.call(speechVendors, { audio, ...languageInput, speakers: false, timed: false })
  if (answer.words.length === 0) ctx.note('The vendor gives no times of words.')
  return {
    transcript: answer.text,
    confidence: meanConfidence(answer.words),
    language: answer.language ?? languageInput.language,
    words: answer.words.map(({ text, start, end, confidence }) => ({
      word: bareWord(text),
      start,
      end,
      confidence,
      punctuated_word: text,
    })),
    duration_seconds: audio.duration,
  }
})

/** The same with speakers, as utterances. */
export const audioHandler = handle(audioTranscribe, async ({ audio_url, language, speaker_labels: labels }, ctx) => {
  const audio = await recordingOf({ audio_url }, ctx)
  const spoken = spokenLanguage(language)
  const languageInput = { language: spoken?.code ?? null, region: spoken?.region ?? null }
  const answer = await ctx.call(audioVendors, { audio, ...languageInput, speakers: labels, timed: true })
  const words = labels ? answer.words : answer.words.map((word) => ({ ...word, speaker: null }))
  if (labels && words.every(({ speaker }) => speaker === null)) ctx.note('speakers not separated')
  const turns = utterances(words)
  return {
    transcript: answer.text,
    confidence: meanConfidence(words),
    language: answer.language ?? languageInput.language,
    duration_seconds: audio.duration,
    word_count: words.length,
    speaker_count: new Set(turns.map(({ speaker }) => speaker)).size,
    utterances: turns,
  }
})
