import { Fault, handle } from '../../core/sdk/index.js'
import { atField } from '../_shared/at-field.js'
import { audioPrepare, spokenLanguage } from '../transcription/contract.js'
import { subtitlesGenerate, subtitleVendors } from './contract.js'
import type { FileInput, SubtitleFile } from './work/file.js'

const FILE = new URL('./work/file.js', import.meta.url)
const WORK = { timeoutMs: 30_000, heapMb: 512 }
const AT = { loc: ['audio_url'], what: 'The recording at audio_url' }

/** Decodes the recording once, calls the vendors in order for timed words, and creates subtitles from them. */
export const subtitlesHandler = handle(subtitlesGenerate, async ({ audio_url: url, language, format }, ctx) => {
  ctx.progress('fetching', url)
  const file = await atField(ctx.scratch.fetch(url), AT)
  if (file.size === 0) throw new Fault('invalid', `${AT.what} is empty.`, { loc: AT.loc })
  const audio = await atField(ctx.call(audioPrepare, { file }), AT)
  await ctx.scratch.remove(file)
  const spoken = spokenLanguage(language)
  const languageInput = { language: spoken?.code ?? null, region: spoken?.region ?? null }
  const answer = await ctx.call(subtitleVendors, { audio, ...languageInput, speakers: true, timed: true })
  const detected = answer.language ?? languageInput.language
  const input: FileInput = { words: answer.words, language: detected, duration: audio.duration, format }
  const { content, count, hurried } = await ctx.work<SubtitleFile>(FILE, input, WORK)
  if (count === 0) throw new Fault('missing', 'No words were found in the recording.')
  if (hurried > 0)
    ctx.note(`${String(hurried)} of ${String(count)} subtitles are on screen for less time than their text needs: the speech is too fast.`)
  return {
    subtitle_content: content,
    format,
    language: detected,
    duration_seconds: audio.duration,
    utterance_count: count,
  }
})
