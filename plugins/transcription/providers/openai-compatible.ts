import { Fault, provider, type ProviderContext, type SettingsOf, type Static } from '../../../core/sdk/index.js'
import { subtitleVendors } from '../../subtitles/contract.js'
import { openaiCompatible as vendor } from '../../_vendors/openai-compatible.js'
import { speechVendors, type Answer, type Question } from '../contract.js'
import { settings } from '../settings.js'
import { whisperApi } from '../whisper-api.js'

type Settings = SettingsOf<typeof vendor> & Static<typeof settings>

/** OpenAI's newer transcription models, which return text without times. */
const TEXT_ALONE = /^gpt-/

const openai = {
  vendor,
  settings,
  run: async (question: Question, context: ProviderContext<Settings>): Promise<Answer> => {
    const model = context.settings.openai_model
    try {
      return await whisperApi(question, context, { model, verbose: !TEXT_ALONE.test(model) })
    } catch (error) {
      throw Fault.is(error) && error.status !== undefined ? ofTranscription(error) : error
    }
  },
  serves: ({ timed }: Question, { settings: { openai_model: model } }: { readonly settings: Readonly<Settings> }) =>
    !timed || !TEXT_ALONE.test(model),
}

export const openaiSpeech = provider(speechVendors, { ...openai, rank: 20 })
export const openaiSubtitles = provider(subtitleVendors, { ...openai, rank: 40 })

/** The vendor's error mapping is worded for chat: its schema, and its model setting. */
function ofTranscription(cause: Fault): Fault {
  const { kind, message, internal, status, retryAfterSeconds } = cause
  const sentence =
    status === 404
      ? 'The server does not transcribe, or has no such model: check CAPSTAN_TRANSCRIPTION_OPENAI_MODEL and the address.'
      : message
  return new Fault(kind, sentence, {
    cause,
    ...(internal === undefined ? {} : { internal }),
    ...(status === undefined ? {} : { status }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })
}
