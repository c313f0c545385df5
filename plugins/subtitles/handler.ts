import { Fault, handle } from '../../core/sdk/index.js'
import { atField } from '../_shared/at-field.js'
import { audioPrepare, spokenLanguage } from '../transcription/contract.js'
import { subtitlesGenerate, subtitleVendors } from './contract.js'
import { cuesOf } from './cues.js'
import { srt, vtt } from './files.js'

const AT = { loc: ['audio_url'], what: 'The recording at audio_url' }

/** Decodes the recording once, asks the vendors one after the other for words with times, and makes subtitles of them. */
export const subtitlesHandler = handle(subtitlesGenerate, async ({ audio_url: url, language, format }, ctx) => {
  ctx.progress('fetching', url)
  const file = await atField(ctx.scratch.fetch(url), AT)
  if (file.size === 0) throw new Fault('invalid', `${AT.what} is empty.`, { loc: AT.loc })
  const audio = await atField(ctx.call(audioPrepare, { file }), AT)
  await ctx.scratch.remove(file)
  const spoken = spokenLanguage(language)
  const asked = { language: spoken?.code ?? null, region: spoken?.region ?? null }
  const answer = await ctx.call(subtitleVendors, { audio, ...asked, speakers: true, timed: true })
  const detected = answer.language ?? asked.language
  const { cues, hurried } = cuesOf(answer.words, { language: detected, duration: audio.duration })
  if (cues.length === 0) throw new Fault('missing', 'No words were heard in the recording.')
  if (hurried > 0)
    ctx.note(
      `${String(hurried)} of ${String(cues.length)} subtitles are on screen for less time than their text needs: the speech is too fast.`,
    )
  return {
    subtitle_content: format === 'srt' ? srt(cues) : vtt(cues),
    format,
    language: detected,
    duration_seconds: audio.duration,
    utterance_count: cues.length,
  }
})
