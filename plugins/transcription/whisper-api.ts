import type { Part, ProviderContext, ScratchFile } from '../../core/sdk/index.js'
import type { Answer, Question } from './contract.js'
import { noSpeech } from './no-speech.js'
import { inPieces } from './pieces.js'
import { readWhisper, whisperReply } from './whisper-reply.js'

/** Ten minutes are 19.2 MB: vendors accept files of up to 25 MB. */
const PIECES = { mostSeconds: 600, atOnce: 4 }
/** Words of ten minutes with all their data. */
const REPLY_BYTES = 20 * 1024 * 1024

/** The form of OpenAI's POST /audio/transcriptions. Models other than Whisper return only text (`json`). */
function whisperForm(
  file: ScratchFile,
  { model, language, verbose }: { readonly model: string; readonly language: string | null; readonly verbose: boolean },
): Part[] {
  const granularities = ['word', 'segment'].map((data) => ({ name: 'timestamp_granularities[]', data }))
  return [
    { name: 'file', filename: 'audio.wav', contentType: 'audio/wav', data: file },
    { name: 'model', data: model },
    ...(language === null ? [] : [{ name: 'language', data: language }]),
    { name: 'response_format', data: verbose ? 'verbose_json' : 'json' },
    ...(verbose ? granularities : []),
  ]
}

/** Transcribes a recording by a server with OpenAI's API, in pieces of ten minutes. */
export async function whisperApi(
  question: Question,
  context: Pick<ProviderContext, 'api' | 'scratch' | 'progress'>,
  { model, verbose }: { readonly model: string; readonly verbose: boolean },
): Promise<Answer> {
  const { language, timed } = question
  const answer = await inPieces(question, context, PIECES, async (file, { from, to }) => {
    const multipart = whisperForm(file, { model, language, verbose })
    const reply = await context.api.json({ method: 'POST', path: '/audio/transcriptions', multipart, maxBytes: REPLY_BYTES }, whisperReply)
    return readWhisper(reply, { duration: to - from, language, timed })
  })
  if (answer === null) throw noSpeech(question)
  return answer
}
